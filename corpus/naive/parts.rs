// SPDX-License-Identifier: Apache-2.0
// A naive server of a warehouse over stdio (2024-11-05), without a crate: each request has a thread, and a panic ends that thread alone.
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::thread;

#[derive(Clone, Debug)]
enum Json { Word, Num(f64), Str(String), List, Map(BTreeMap<String, Json>) }

struct Reader<'a> { text: &'a [u8], at: usize }

impl<'a> Reader<'a> {
    fn blanks(&mut self) { while self.at < self.text.len() && self.text[self.at].is_ascii_whitespace() { self.at += 1; } }
    fn peek(&self) -> Option<u8> { self.text.get(self.at).copied() }
    fn expect(&mut self, byte: u8) -> Result<(), String> {
        self.blanks();
        if self.peek() == Some(byte) { self.at += 1; Ok(()) } else { Err(format!("expected {} at {}", byte as char, self.at)) }
    }
    fn word(&mut self, word: &str, value: Json) -> Result<Json, String> {
        if self.text[self.at..].starts_with(word.as_bytes()) { self.at += word.len(); Ok(value) } else { Err(format!("what is at {}", self.at)) }
    }
    fn string(&mut self) -> Result<String, String> {
        self.expect(b'"')?;
        let mut bytes = Vec::new();
        loop {
            match self.peek() {
                None => return Err("a text without end".into()),
                Some(b'"') => { self.at += 1; return String::from_utf8(bytes).map_err(|e| e.to_string()); }
                Some(b'\\') => {
                    let c = *self.text.get(self.at + 1).ok_or("a lone backslash")?;
                    self.at += 2;
                    match c {
                        b'n' => bytes.push(b'\n'), b't' => bytes.push(b'\t'), b'r' => bytes.push(b'\r'), b'b' => bytes.push(8), b'f' => bytes.push(12),
                        b'"' | b'\\' | b'/' => bytes.push(c),
                        b'u' => {
                            let hex = self.text.get(self.at..self.at + 4).ok_or("a short escape")?;
                            let code = u32::from_str_radix(std::str::from_utf8(hex).map_err(|e| e.to_string())?, 16).map_err(|e| e.to_string())?;
                            self.at += 4;
                            bytes.extend(char::from_u32(code).unwrap().to_string().bytes());
                        }
                        _ => return Err("an unknown escape".into()),
                    }
                }
                Some(c) if c < 32 => return Err("a control character".into()),
                Some(c) => { bytes.push(c); self.at += 1; }
            }
        }
    }
    fn value(&mut self) -> Result<Json, String> {
        self.blanks();
        match self.peek() {
            Some(b'{') => {
                self.at += 1;
                let mut map = BTreeMap::new();
                self.blanks();
                if self.peek() == Some(b'}') { self.at += 1; return Ok(Json::Map(map)); }
                loop {
                    self.blanks();
                    let key = self.string()?;
                    self.expect(b':')?;
                    map.insert(key, self.value()?);
                    self.blanks();
                    if self.peek() == Some(b',') { self.at += 1; continue; }
                    self.expect(b'}')?;
                    return Ok(Json::Map(map));
                }
            }
            Some(b'[') => {
                self.at += 1;
                self.blanks();
                if self.peek() == Some(b']') { self.at += 1; return Ok(Json::List); }
                loop {
                    self.value()?;
                    self.blanks();
                    if self.peek() == Some(b',') { self.at += 1; continue; }
                    self.expect(b']')?;
                    return Ok(Json::List);
                }
            }
            Some(b'"') => Ok(Json::Str(self.string()?)),
            Some(b't') => self.word("true", Json::Word),
            Some(b'f') => self.word("false", Json::Word),
            Some(b'n') => self.word("null", Json::Word),
            Some(_) => {
                let begin = self.at;
                while self.peek().map_or(false, |c| c.is_ascii_digit() || b"+-.eE".contains(&c)) { self.at += 1; }
                std::str::from_utf8(&self.text[begin..self.at]).unwrap().parse().map(Json::Num).map_err(|_| format!("no number at {}", begin))
            }
            None => Err("nothing".into()),
        }
    }
}

fn get<'a>(json: &'a Json, key: &str) -> Option<&'a Json> { if let Json::Map(m) = json { m.get(key) } else { None } }
fn text<'a>(json: &'a Json, key: &str) -> Option<&'a str> { if let Some(Json::Str(s)) = get(json, key) { Some(s) } else { None } }
fn error(id: &str, code: i32, message: &str) -> String { format!(r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":{},"message":"{}"}}}}"#, id, code, message) }

fn answer(message: &Json) -> Option<String> {
    let id = match get(message, "id") {
        Some(Json::Num(n)) => (*n as i64).to_string(),
        Some(Json::Str(s)) => format!("{:?}", s),
        Some(_) => return Some(error("null", -32600, "the id is a string or a number")),
        None => "null".into(),
    };
    let params = get(message, "params").cloned().unwrap_or(Json::Map(BTreeMap::new()));
    let result = match text(message, "method")? {
        "initialize" => r#"{"protocolVersion":"2024-11-05","capabilities":{"tools":{},"resources":{"subscribe":true}},"serverInfo":{"name":"parts","version":"0.2.0"}}"#.to_string(),
        "ping" => "{}".into(),
        "tools/list" => r#"{"tools":[{"name":"count","description":"How many of a part there are","inputSchema":{"type":"object","properties":{"part":{"type":"string"}},"required":["part"]},"annotations":{"readOnlyHint":true}}]}"#.into(),
        "tools/call" => {
            if text(&params, "name").unwrap() != "count" { return Some(error(&id, -32602, "Unknown tool")); }
            let part = text(get(&params, "arguments").unwrap(), "part").unwrap();
            let count = [("bolt", 40), ("nut", 7)].iter().find(|(name, _)| *name == part).map_or(0, |(_, n)| *n);
            format!(r#"{{"content":[{{"type":"text","text":"{} of {}"}}]}}"#, count, part)
        }
        "resources/list" => r#"{"resources":[{"uri":"parts://bolt","name":"bolt","mimeType":"text/plain"}]}"#.into(),
        "resources/read" => {
            let uri = text(&params, "uri").unwrap();
            let name = &uri[8..];
            format!(r#"{{"contents":[{{"uri":{:?},"mimeType":"text/plain","text":{:?}}}]}}"#, uri, name)
        }
        "resources/subscribe" | "resources/unsubscribe" => "{}".into(),
        name if name.starts_with("notifications/") => return None,
        name => return Some(error(&id, -32601, &format!("no method {}", name))),
    };
    Some(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{}}}"#, id, result))
}

fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        thread::spawn(move || {
            let mut reader = Reader { text: line.as_bytes(), at: 0 };
            let reply = match reader.value() {
                Ok(message) => answer(&message),
                Err(why) => Some(error("null", -32700, &why)),
            };
            if let Some(reply) = reply {
                let mut out = io::stdout().lock();
                writeln!(out, "{}", reply).unwrap();
                out.flush().unwrap();
            }
        });
    }
}
