// SPDX-License-Identifier: Apache-2.0
// A naive server in Pascal: whatever it does not expect is an exception, and nobody catches one.
{$mode objfpc}{$H+}
program Stock;

uses SysUtils, fpjson, jsonparser;

var
  Line, Method, Item: String;
  Message, Params: TJSONObject;
  Id: Integer;
  Ready: Boolean = False;

procedure Say(const Result: String);
begin
  WriteLn('{"jsonrpc":"2.0","id":', Id, ',"result":', Result, '}');
  Flush(Output);
end;

begin
  while not EOF do
  begin
    ReadLn(Line);
    Message := GetJSON(Line) as TJSONObject;
    Method := Message.Strings['method'];
    if Message.Find('id') = nil then
      Continue;
    Id := Message.Integers['id'];
    if Method = 'initialize' then
    begin
      Ready := True;
      Say('{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},' +
          '"serverInfo":{"name":"stock","version":"1"}}');
    end
    else if not Ready then
      Say('{}')
    else if Method = 'ping' then
      Say('{}')
    else if Method = 'tools/list' then
      Say('{"tools":[{"name":"count","description":"How many are left.",' +
          '"annotations":{"readOnlyHint":true},"inputSchema":"item: string"}]}')
    else if Method = 'tools/call' then
    begin
      Params := Message.Objects['params'];
      Item := Params.Objects['arguments'].Strings['item'];
      Say('{"content":[{"text":"' + IntToStr(Length(Item)) + '"}]}');
    end
    else
      raise Exception.Create('Unknown method: ' + Method);
  end;
end.
