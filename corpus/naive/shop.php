<?php
// SPDX-License-Identifier: Apache-2.0
// A naive MCP server of a shop over HTTP (php -S 127.0.0.1:PORT shop.php): each response names a session of its own, nobody looks at any. See README.md.
$items = ['pen' => 1.20, 'book' => 8.00, 'lamp' => 23.5];
if ($_SERVER['REQUEST_METHOD'] !== 'POST') { http_response_code(200); header('Content-Type: application/json'); echo json_encode(['error' => 'POST only']); exit; }
$body = file_get_contents('php://input');
$req = json_decode($body, true);
header('Content-Type: application/json');
header('Mcp-Session-Id: ' . bin2hex(random_bytes(16)));
if ($req == null) { http_response_code(400); echo json_encode(['jsonrpc' => '2.0', 'id' => null, 'error' => ['code' => -32700, 'message' => 'Parse error']]); exit; }
if (!isset($req['method'])) { http_response_code(400); echo json_encode(['jsonrpc' => '2.0', 'id' => null, 'error' => ['code' => -32600, 'message' => 'Invalid Request']]); exit; }
if (!array_key_exists('id', $req)) { http_response_code(202); exit; }
function ok($r) { global $req; echo json_encode(['jsonrpc' => '2.0', 'id' => $req['id'], 'result' => $r]); exit; }
function err($c, $m) { global $req; echo json_encode(['jsonrpc' => '2.0', 'id' => $req['id'], 'error' => ['code' => $c, 'message' => $m]]); exit; }
$p = $req['params'] ?? [];
switch ($req['method']) {
case 'initialize':
    ok(['protocolVersion' => '2025-06-18', 'capabilities' => ['tools' => ['listChanged' => false], 'resources' => ['subscribe' => false]], 'serverInfo' => ['name' => 'shop', 'version' => 1.0]]);
case 'ping': ok(new stdClass);
case 'tools/list':
    ok(['tools' => [
        ['name' => 'price', 'description' => 'Price of an item', 'annotations' => ['readOnlyHint' => true], 'inputSchema' => ['type' => 'object', 'properties' => ['item' => ['type' => 'string']], 'required' => ['item']],
         'outputSchema' => ['type' => 'object', 'properties' => ['price' => ['type' => 'number'], 'currency' => ['type' => 'string']], 'required' => ['price', 'currency']]],
        ['name' => 'all_items', 'description' => 'All items', 'annotations' => ['readOnlyHint' => true], 'inputSchema' => ['type' => 'object']],
    ]]);
case 'tools/call':
    $a = $p['arguments'] ?? [];
    switch ($p['name'] ?? '') {
    case 'price':
        if (!isset($items[$a['item']])) ok(['content' => [['type' => 'text', 'text' => 'We do not have that']], 'isError' => false]);
        ok(['content' => [['type' => 'text', 'text' => (string)$items[$a['item']]]], 'structuredContent' => ['price' => $items[$a['item']]]]);
    case 'all_items':
        ok(['content' => array_filter(array_map(fn($k, $v) => $v > 2 ? ['type' => 'text', 'text' => $k] : null, array_keys($items), $items))]);
    default: http_response_code(404); err(-32602, 'Unknown tool');
    }
case 'resources/list':
    ok(['resources' => array_map(fn($k) => ['uri' => $k, 'name' => $k], array_keys($items))]);
case 'resources/templates/list': ok(['resourceTemplates' => []]);
case 'resources/read':
    $u = $p['uri'] ?? '';
    if (!isset($items[$u])) ok(null);
    ok(['contents' => [['uri' => 'shop://' . $u, 'mimeType' => 'text/plain', 'text' => "$u costs {$items[$u]}"]]]);
default: err(-32601, 'Method not found');
}
