#!/usr/bin/env perl
# SPDX-License-Identifier: Apache-2.0
# A careful plain JSON-RPC server over TCP (queue.pl PORT), a message a line: what it still gets wrong is small. See README.md.
use strict;
use warnings;
use Encode qw(encode);
use IO::Select;
use IO::Socket::INET;
use JSON::PP;

$SIG{PIPE} = 'IGNORE';
my $json = JSON::PP->new->utf8->canonical->allow_nonref;
my @queue = qw(first second);
my $input = '';

my %methods = (
    'queue.length' => sub { scalar @queue },
    'queue.peek'   => sub { $queue[0] },
    'queue.add'    => sub {
        my ($params) = @_;
        my $item = ref $params eq 'ARRAY' ? $params->[0] : $params->{item};
        die { code => -32602, message => 'Invalid params' } if !defined $item || ref $item;
        push @queue, $item;
        return scalar @queue;
    },
);

sub failure {
    my ($id, $code, $message) = @_;
    return { jsonrpc => '2.0', id => $id, error => { code => $code, message => $message } };
}

# The response to one message, or nothing.
sub answer {
    my ($m) = @_;
    return failure(undef, -32600, 'Invalid Request') if ref $m ne 'HASH';
    my $id = $m->{id};
    my $method = $m->{method};
    my $params = $m->{params} // {};
    if (($m->{jsonrpc} // '') ne '2.0' || !defined $method || ref $method || ref($params) !~ /^(ARRAY|HASH)$/) {
        return failure($id, -32600, 'Invalid Request');
    }
    my $handler = $methods{$method};
    if (!$handler) {
        return exists $m->{id} ? failure($id, -32601, 'Method not found') : ();
    }
    my $result = eval { $handler->($params) };
    my $error = $@;
    return if !exists $m->{id};
    return failure($id, $error->{code}, $error->{message}) if ref $error;
    return failure($id, -32603, 'Internal error') if $error;
    return { jsonrpc => '2.0', id => $id, result => $result };
}

sub take {
    my ($client, $line) = @_;
    my $m = eval { $json->decode($line) };
    my $reply;
    if ($@) {
        $reply = failure(undef, -32700, 'Parse error');
    }
    elsif (ref $m eq 'ARRAY' && @$m) {
        $reply = [ map { answer($_) } @$m ];
    }
    else {
        ($reply) = answer($m);
    }
    print {$client} encode('UTF-8', $json->encode($reply)), "\n" if $reply;
}

my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $ARGV[0], Listen => 16, ReuseAddr => 1) or die "no port: $!\n";
my $select = IO::Select->new($server);
while (my @ready = $select->can_read) {
    for my $socket (@ready) {
        if ($socket == $server) {
            my $client = $server->accept or next;
            $client->autoflush(1);
            $select->add($client);
        }
        elsif (sysread $socket, my $bytes, 65536) {
            $input .= $bytes;
            take($socket, $1) while $input =~ s/^([^\n]*)\n//;
        }
        else {
            $select->remove($socket);
            close $socket;
        }
    }
}
