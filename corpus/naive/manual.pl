#!/usr/bin/env perl
# SPDX-License-Identifier: Apache-2.0
# A naive server of documents over stdio (2025-06-18): text is encoded twice, and no value has the type that it should. See README.md.
use strict;
use warnings;
use utf8;
use JSON::PP;

binmode(STDOUT, ':encoding(UTF-8)');
$| = 1;
my $json = JSON::PP->new->utf8->canonical;

my %docs = (
    'doc://intro'   => { name => 'intro',   text => "Welcome to the docs – enjoy!" },
    'doc://install' => { name => 'install', text => "Run make && make install" },
    'doc://usage'   => { name => 'usage',   text => "Usage: docs [options]" },
    'doc://faq'     => { name => 'faq',     text => "Häufige Fragen" },
    'doc://license' => { name => 'license', text => "Artistic License 2.0" },
);
my @uris = sort keys %docs;
my $PAGE = 2;

sub rpc_error { my ($code, $msg) = @_; die { code => $code, message => $msg } }

my %methods = (
    'initialize' => sub {
        my $p = shift;
        my $v = $p->{protocolVersion} // '';
        $v = '2025-06-18' unless grep { $_ eq $v } qw(2024-11-05 2025-03-26 2025-06-18);
        return {
            protocolVersion => $v,
            capabilities    => {
                tools       => { listChanged => 0 },
                resources   => { subscribe => 1, listChanged => 0 },
                completions => {},
                prompts     => {},
            },
            serverInfo => { name => 'perl-docs', version => '0.3' },
        };
    },
    'ping'       => sub { {} },
    'tools/list' => sub {
        return { tools => [ {
            name        => 'grep_docs',
            annotations => { readOnlyHint => JSON::PP::true },
            description => 'Search the documentation',
            inputSchema => {
                type       => 'object',
                properties => { word => { type => 'string' } },
                required   => ['word'],
            },
        } ] };
    },
    'tools/call' => sub {
        my $p = shift;
        rpc_error(-32602, "Unknown tool: " . ($p->{name} // '')) unless ($p->{name} // '') eq 'grep_docs';
        my $w = $p->{arguments}{word};
        rpc_error(-32602, "word is required") unless defined $w;
        my @hits = grep { $docs{$_}{text} =~ /\Q$w\E/i } @uris;
        return { content => [ { type => 'text', text => "Hits for '$w': " . join(', ', @hits) } ], isError => 0 };
    },
    'resources/list' => sub {
        my $p     = shift;
        my $start = $p->{cursor} // 0;
        rpc_error(-32602, 'Invalid cursor') unless $start =~ /^\d+$/;
        my $end = $start + $PAGE - 1;
        $end = $#uris if $end > $#uris;
        my %r = (resources => [ map { { uri => $_, name => $docs{$_}{name}, mimeType => 'text/plain' } } @uris[ $start .. $end ] ]);
        $r{nextCursor} = $end + 1 if $end < $#uris;
        return \%r;
    },
    'resources/templates/list' => sub {
        return { templates => [ { uriTemplate => 'doc://{page}', name => 'page' } ] };
    },
    'resources/read' => sub {
        my $p = shift;
        my $d = $docs{ $p->{uri} // '' } or rpc_error(-32002, 'Resource not found');
        return { contents => { uri => $p->{uri}, mimeType => 'text/plain', text => $d->{text} } };
    },
    'prompts/list' => sub {
        return { prompts => [ { name => 'summarize', description => 'Summarize a page', arguments => { page => 'name of the page' } } ] };
    },
    'prompts/get' => sub {
        my $p = shift;
        rpc_error(-32602, 'Unknown prompt') unless ($p->{name} // '') eq 'summarize';
        return { messages => [ { role => 'user', content => { type => 'text', text => 'Summarize ' . ($p->{arguments}{page} // 'intro') } } ] };
    },
    'completion/complete' => sub {
        my $p = shift;
        my $v = $p->{argument}{value} // '';
        return { values => [ grep { /^\Q$v\E/ } map { $docs{$_}{name} } @uris ] };
    },
);

while (my $line = <STDIN>) {
    next unless $line =~ /\S/;
    my $msg = eval { $json->decode($line) };
    if ($@) {
        print $json->encode({ jsonrpc => '2.0', id => undef, error => { code => -32700, message => 'Parse error' } }), "\n";
        next;
    }
    my $result = eval {
        my $h = $methods{ $msg->{method} } or rpc_error(-32601, "Method not found: $msg->{method}");
        $h->($msg->{params} // {});
    };
    my $err = $@;
    next unless exists $msg->{id};
    my $reply = { jsonrpc => '2.0', id => $msg->{id} };
    if ($err) {
        $reply->{error} = ref $err ? $err : { code => -32603, message => "$err" };
    } else {
        $reply->{result} = $result;
    }
    print $json->encode($reply), "\n";
}
