<?php
// SPDX-License-Identifier: Apache-2.0
// A careful server in PHP over stdio: what it still gets wrong is small. See README.md.
declare(strict_types=1);
const VERSIONS = ['2025-06-18', '2024-11-05'];
const PAGE = 2;
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
class Refusal extends Exception {}
$prompts = [
    ['name' => 'greet', 'description' => 'A greeting.', 'arguments' => [['name' => 'name', 'required' => true]]],
    ['name' => 'thank', 'description' => 'Thanks for something.', 'arguments' => [['name' => 'gift', 'required' => true], ['name' => 'from']]],
    ['name' => 'part', 'description' => 'A farewell.', 'arguments' => []],
];
$tools = [['name' => 'repeat', 'description' => 'Says a text as often as asked.', 'annotations' => ['readOnlyHint' => true], 'inputSchema' => [
    'type' => 'object',
    'properties' => ['text' => ['type' => 'string'], 'times' => ['type' => 'integer', 'minimum' => 1, 'maximum' => 5]],
    'required' => ['text'],
]]];
function page(array $all, string $key, object $params): array {
    $cursor = $params->cursor ?? base64_encode('from 0');
    if (!is_string($cursor) || sscanf((string) base64_decode($cursor), 'from %d', $start) !== 1 || $start < 0 || $start >= count($all))
        throw new Refusal('Invalid cursor', -32602);
    $result = [$key => array_slice($all, $start, PAGE)];
    if ($start + PAGE < count($all)) $result['nextCursor'] = base64_encode('from ' . ($start + PAGE - 1));
    return $result;
}
function call(object $params): array {
    if (($params->name ?? null) !== 'repeat') throw new Refusal('Unknown tool', -32602);
    $a = $params->arguments ?? new stdClass;
    if (!is_object($a)) throw new Refusal('arguments is no object', -32602);
    $text = $a->text ?? null;
    $times = property_exists($a, 'times') ? $a->times : 1;
    $wrong = !is_string($text) ? 'text has to be a string' : (!is_int($times) || $times < 1 || $times > 5 ? 'times has to be 1 to 5' : null);
    $answer = ['content' => [['type' => 'text', 'text' => $wrong ?? implode(' ', array_fill(0, $times, $text))]]];
    return $wrong === null ? $answer : $answer + ['isError' => true];
}
function prompt(array $prompts, object $params): array {
    $name = $params->name ?? null;
    $a = $params->arguments ?? new stdClass;
    if (!in_array($name, array_column($prompts, 'name'), true)) throw new Refusal('Unknown prompt', -32602);
    if (!is_object($a) || array_filter((array) $a, fn($v) => !is_string($v))) throw new Refusal('arguments have to be strings', -32602);
    $texts = ['greet' => 'Greet ' . ($a->name ?? '') . '.', 'thank' => 'Thank ' . ($a->from ?? 'them') . ' for ' . ($a->gift ?? '') . '.', 'part' => 'Say goodbye.'];
    return ['messages' => [['role' => 'user', 'content' => ['type' => 'text', 'text' => $texts[$name]]]]];
}
function serve(string $method, object $params): array|object {
    global $prompts, $tools;
    switch ($method) {
        case 'initialize':
            $version = $params->protocolVersion ?? null;
            if (!is_string($version)) throw new Refusal('protocolVersion is missing', -32602);
            return ['protocolVersion' => in_array($version, VERSIONS, true) ? $version : VERSIONS[0],
                    'capabilities' => ['tools' => new stdClass, 'prompts' => new stdClass, 'logging' => new stdClass],
                    'serverInfo' => ['name' => 'phrases', 'version' => '0.9.1']];
        case 'ping': return new stdClass;
        case 'tools/list': return page($tools, 'tools', $params);
        case 'tools/call': return call($params);
        case 'prompts/list': return page($prompts, 'prompts', $params);
        case 'prompts/get': return prompt($prompts, $params);
        case 'logging/setLevel':
            if (!in_array($params->level ?? null, LEVELS, true)) throw new Refusal('Unknown level', -32602);
            return [];
    }
    throw new Refusal("Method not found: $method", -32601);
}
function send(mixed $id, string $member, mixed $value): void {
    $flags = JSON_NUMERIC_CHECK | JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES;
    printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"%s\":%s}\n", json_encode($id, $flags), $member, json_encode($value, $flags));
}

ini_set('display_errors', 'stderr');
$ready = false;
while (($line = fgets(STDIN)) !== false) {
    $m = json_decode($line);
    if (json_last_error() !== JSON_ERROR_NONE) { send(null, 'error', ['code' => -32700, 'message' => 'Parse error']); continue; }
    if (is_object($m) && !isset($m->method) && (property_exists($m, 'result') || property_exists($m, 'error'))) continue; // nobody was asked
    $id = $m->id ?? null;
    if (!is_object($m) || ($m->jsonrpc ?? null) !== '2.0' || !is_string($m->method ?? null) || (property_exists($m, 'id') && !is_int($id) && !is_string($id))) {
        send(is_int($id) || is_string($id) ? $id : null, 'error', ['code' => -32600, 'message' => 'Invalid Request']);
        continue;
    }
    if ($id === null) continue; // a notification
    try {
        if (!is_object($m->params ?? new stdClass)) throw new Refusal('params is no object', -32602);
        if (!$ready && !in_array($m->method, ['initialize', 'ping'], true)) throw new Refusal('initialize comes first', -32600);
        $result = serve($m->method, $m->params ?? new stdClass);
        $ready = $ready || $m->method === 'initialize';
        send($id, 'result', $result);
    } catch (Refusal $e) {
        send($id, 'error', ['code' => $e->getCode(), 'message' => $e->getMessage()]);
    }
}
