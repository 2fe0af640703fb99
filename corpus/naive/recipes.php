<?php
// SPDX-License-Identifier: Apache-2.0
// A naive MCP server over HTTP (php -S 127.0.0.1:PORT recipes.php): warnings go into the reply, 0 is empty, lists have holes. See README.md.
error_reporting(E_ALL);
ini_set('display_errors', '1');

$origin = $_SERVER['HTTP_ORIGIN'] ?? null;
if ($origin !== null && !in_array(parse_url($origin, PHP_URL_HOST), ['localhost', '127.0.0.1'], true)) {
    http_response_code(403);
    exit;
}

$recipes = [
    'soup' => ['title' => 'Leek soup', 'text' => 'Leeks, potatoes, cream.', 'draft' => false],
    'cake' => ['title' => 'Cake', 'text' => '?', 'draft' => true],
    'salad' => ['title' => 'Salad Niçoise', 'text' => 'Tuna, eggs, beans.', 'draft' => false, 'mime' => 'text/plain'],
];

function resources(array $recipes): array {
    $all = [];
    foreach ($recipes as $key => $r) {
        $all[] = ['uri' => "recipe://$key", 'name' => $r['title'], 'mimeType' => $r['mime'] ?? null,
                  'size' => (string) strlen($r['text']), 'draft' => $r['draft']];
    }
    return array_filter($all, fn($r) => !$r['draft']);
}

function read(array $recipes, string $uri): array {
    $contents = [];
    foreach ($recipes as $key => $r) {
        if ($uri === "recipe://$key") $contents[] = ['uri' => $uri, 'mimeType' => 'text/plain', 'text' => $r['text']];
    }
    return ['contents' => $contents];
}

function call(array $params): array {
    if ($params['name'] !== 'portions') throw new InvalidArgumentException('Unknown tool');
    return ['content' => [['type' => 'text', 'text' => 'Take ' . 150 * $params['arguments']['people'] . ' g of it.']]];
}

$tools = [['name' => 'portions', 'description' => 'How much is needed.', 'annotations' => ['readOnlyHint' => true],
    'inputSchema' => ['type' => 'object', 'properties' => ['people' => ['type' => 'integer']], 'required' => ['people']]]];

header('Content-Type: application/json');
$m = json_decode(file_get_contents('php://input'), true);
$reply = null;
if (!is_array($m)) {
    http_response_code(400);
    $reply = ['jsonrpc' => '2.0', 'id' => null, 'error' => ['code' => -32700, 'message' => 'Parse error']];
} elseif (empty($m['id'])) {
    http_response_code(202);
} else {
    $reply = ['jsonrpc' => '2.0', 'id' => $m['id']];
    try {
        $reply['result'] = match ($m['method'] ?? '') {
            'initialize' => ['protocolVersion' => '2025-06-18', 'capabilities' => ['tools' => new stdClass, 'resources' => new stdClass],
                             'serverInfo' => ['name' => 'recipes', 'version' => '1.0']],
            'ping' => new stdClass,
            'tools/list' => ['tools' => $tools],
            'tools/call' => call($m['params']),
            'resources/list' => ['resources' => resources($recipes)],
            'resources/read' => read($recipes, $m['params']['uri']),
        };
    } catch (UnhandledMatchError) {
        $reply['error'] = ['code' => -32601, 'message' => 'Method not found'];
    } catch (InvalidArgumentException $e) {
        $reply['error'] = ['code' => -32602, 'message' => $e->getMessage()];
    }
}
echo json_encode($reply);
