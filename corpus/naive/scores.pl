#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
# A naive server of scores over HTTP (plain JSON-RPC), a process for each connection: what one connection sets, no other has. See README.md.
use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP;

$SIG{CHLD} = 'IGNORE';
my $json = JSON::PP->new->utf8->canonical->allow_nonref;
my %score = (ann => 12, bob => 7);

my %method = (
    'score.get' => sub {
        my ($p) = @_;
        my $name = ref $p eq 'ARRAY' ? $p->[0] : $p->{name};
        die { code => -32602, message => 'name is missing' } unless defined $name && !ref $name;
        return exists $score{$name} ? $score{$name} : undef;
    },
    'score.add' => sub {
        my ($p) = @_;
        my ($name, $points) = ref $p eq 'ARRAY' ? @$p : @$p{qw(name points)};
        die { code => -32602, message => 'name and points are needed' } unless defined $name && defined $points && !ref $points;
        return $score{$name} += $points;
    },
    'score.mean' => sub {
        my ($p) = @_;
        my $list = ref $p eq 'ARRAY' ? $p : $p->{scores};
        my $sum = 0;
        $sum += $_ for @$list;
        return $sum / @$list;
    },
    'system.methods' => sub { return ['score.get', 'score.add', 'score.mean'] },
);

sub answer {
    my ($request) = @_;
    my $id = ref $request eq 'HASH' ? $request->{id} : undef;
    return { jsonrpc => '2.0', id => undef, error => { code => -32600, message => 'Invalid Request' } }
        unless ref $request eq 'HASH' && defined $request->{method} && !ref $request->{method} && ($request->{jsonrpc} // '') eq '2.0';
    my $code = $method{ $request->{method} };
    return { jsonrpc => '2.0', id => $id, error => { code => -32601, message => "Method not found: $request->{method}" } } unless $code;
    my $result = eval { $code->($request->{params} // {}) };
    if (my $e = $@) {
        $e = { code => -32000, message => "$e" } unless ref $e;
        return { jsonrpc => '2.0', id => $id, error => $e };
    }
    my $reply = { jsonrpc => '2.0', result => $result };
    $reply->{id} = $id if exists $request->{id};
    return exists $request->{id} ? $reply : undef;
}

sub serve {
    my ($client) = @_;
    while (defined(my $first = <$client>)) {
        my ($verb, $path) = split ' ', $first;
        my %header;
        while (defined(my $line = <$client>)) {
            $line =~ s/\r?\n$//;
            last if $line eq '';
            $header{lc $1} = $2 if $line =~ /^([^:]+):\s*(.*)$/;
        }
        my $body = '';
        read $client, $body, $header{'content-length'} // 0;
        if (($verb // '') ne 'POST') {
            print $client "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\n\r\n";
            next;
        }
        my $request = eval { $json->decode($body) };
        my ($status, $reply) = ('200 OK', undef);
        if ($@) {
            ($status, $reply) = ('400 Bad Request', { jsonrpc => '2.0', id => undef, error => { code => -32700, message => 'Parse error' } });
        } elsif (ref $request eq 'ARRAY' && @$request) {
            $reply = [ grep { defined } map { answer($_) } reverse @$request ];
            $reply = undef unless @$reply;
        } else {
            $reply = answer($request);
        }
        $status = '500 Internal Server Error' if ref $reply eq 'HASH' && $reply->{error} && $reply->{error}{code} != -32700;
        if ($reply) {
            my $text = $json->encode($reply) . "\r\n";
            print $client "HTTP/1.1 $status\r\nContent-Type: text/json\r\nContent-Length: " . (length($text) - 2) . "\r\n\r\n$text";
        } else {
            print $client "HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\n";
        }
    }
}

my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $ARGV[0], Listen => 64, ReuseAddr => 1) or die "cannot listen: $!";
while (my $client = $server->accept) {
    $client->autoflush(1);
    my $pid = fork;
    if (!$pid) {
        close $server;
        serve($client);
        exit 0;
    }
    close $client;
}
