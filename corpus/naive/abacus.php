<?php
// SPDX-License-Identifier: Apache-2.0
// A naive calculator over HTTP (plain JSON-RPC), whose errors have no id. See README.md.
header('Content-Type: application/json');

function reply($id, $result) { return ['jsonrpc' => '2.0', 'result' => $result, 'id' => $id]; }
function fail($code, $message, $id = null) {
    $r = ['jsonrpc' => '2.0', 'error' => ['code' => $code, 'message' => $message]];
    if ($id !== null) $r['id'] = $id;
    return $r;
}

$methods = [
    'add' => fn($a, $b) => $a + $b,
    'subtract' => fn($minuend, $subtrahend) => $minuend - $subtrahend,
    'divide' => fn($a, $b) => intdiv($a, $b),
    'sum' => fn(...$xs) => array_sum($xs),
    'version' => fn() => '1.2',
];

function handle($req) {
    global $methods;
    if (!is_array($req) || !isset($req['method'])) return fail(-32600, 'Invalid Request');
    $id = $req['id'] ?? null;
    if (!is_string($req['method']) || !isset($methods[$req['method']]))
        return fail(-32601, 'Method not found');
    $params = $req['params'] ?? [];
    try {
        $result = $methods[$req['method']](...array_values($params));
    } catch (ArgumentCountError $e) {
        return fail(-32602, 'Invalid params', $id);
    }
    if (empty($id)) return null;
    return reply($id, $result);
}

if ($_SERVER['REQUEST_METHOD'] !== 'POST') { http_response_code(405); header('Allow: POST'); exit; }
$body = json_decode(file_get_contents('php://input'), true);
if ($body === null) { echo json_encode(fail(-32600, 'Invalid Request')); exit; }
if (array_is_list($body)) {
    $out = [];
    foreach ($body as $req) { $r = handle($req); if ($r) $out[] = $r; }
    echo json_encode($out);
} else {
    $r = handle($body);
    if ($r) echo json_encode($r);
}
