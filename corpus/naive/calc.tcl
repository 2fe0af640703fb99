#!/usr/bin/env tclsh
# SPDX-License-Identifier: Apache-2.0
# A naive plain JSON-RPC server over TCP (calc.tcl PORT): one request a connection. See README.md.

# The value of the first member of that name, without its quotes.
proc member {name line} {
    set pattern [format {"%s"\s*:\s*("([^"]*)"|[^,\}]*)} $name]
    if {![regexp $pattern $line all raw text]} { return "" }
    return [expr {[string index $raw 0] eq "\"" ? $text : [string trim $raw]}]
}

proc refuse {id code message} {
    return [format {{"jsonrpc":"2.0","id":"%s","error":{"code":"%s","message":"%s"}}} $id $code $message]
}

proc answer {line} {
    set id [member id $line]
    set method [member method $line]
    if {![regexp {\[\s*([-0-9.]+)\s*,\s*([-0-9.]+)\s*\]} $line all a b]} {
        return [refuse $id -32602 "two numbers are needed"]
    }
    switch -- $method {
        add { set result [expr {$a + $b}] }
        subtract { set result [expr {$a - $b}] }
        multiply { set result [expr {$a * $b}] }
        default { return [refuse $id -32601 "no method $method"] }
    }
    return [format {{"jsonrpc":"2.0","id":"%s","result":%s}} $id $result]
}

proc serve {channel} {
    if {[gets $channel line] >= 0} { puts $channel [answer $line] }
    close $channel
}

proc accept {channel host port} {
    fconfigure $channel -buffering line -translation lf -encoding utf-8
    fileevent $channel readable [list serve $channel]
}

socket -server accept -myaddr 127.0.0.1 [lindex $argv 0]
vwait forever
