<?php
// SPDX-License-Identifier: Apache-2.0
// A naive plain JSON-RPC server over HTTP (php -S 127.0.0.1:PORT hello.php): what has no id is left out, names have no case. See README.md.

class Api
{
    private array $store = [];

    public function ping() { return 'pong'; }
    public function subtract($minuend, $subtrahend) { return $minuend - $subtrahend; }
    public function sum(...$numbers) { return array_sum($numbers); }
    public function echo($value) { return $value; }
    public function greet(array $p = []) { return 'Hello, ' . $p['name']; }
    public function get_data() { return ['hello', 5]; }
    public function update(...$args) { return null; }
}

function handle_request($req)
{
    $api = new Api();
    $method = $req['method'] ?? '';
    $params = $req['params'] ?? [];
    $id = $req['id'] ?? null;
    try {
        if (!method_exists($api, $method)) {
            $response = ['jsonrpc' => '2.0', 'error' => ['code' => -32601, 'message' => 'Method not found'], 'id' => $id];
        } else {
            if ($method === 'greet') {
                $result = $api->greet($params);
            } else {
                $result = call_user_func_array([$api, $method], $params);
            }
            $response = ['jsonrpc' => '2.0', 'result' => $result, 'id' => $id];
        }
    } catch (Throwable $e) {
        $response = ['jsonrpc' => '2.0', 'error' => ['code' => $e->getCode(), 'message' => $e->getMessage()], 'id' => $id];
    }
    if (!isset($req['id'])) {
        return null; // notification
    }
    return $response;
}

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}
ini_set('display_errors', '1');
ini_set('html_errors', '1');

header('Content-Type: application/json');
$data = json_decode(file_get_contents('php://input'), true);

if ($data === null) {
    echo json_encode(['jsonrpc' => '2.0', 'error' => ['code' => -32700, 'message' => 'Parse error']]);
    exit;
}

if (array_is_list($data)) {
    $out = [];
    foreach ($data as $req) {
        $out[] = handle_request($req);
    }
    echo json_encode(array_values(array_filter($out)));
} else {
    $response = handle_request($data);
    if ($response !== null) {
        echo json_encode($response);
    }
}
