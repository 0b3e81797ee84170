#!/usr/bin/env perl
# A switch of made network cards (TAP), one for each name. A frame takes DELAY ms from one card to another, and each card
# carries RATE Mbit/s each way. What would have to wait for longer than 300 ms is lost, and so is all that comes from or
# goes to a card while FOLDER/NAME.cut is there. Kernels without `tc netem` have this too.
# Usage: relay.pl FOLDER RATE DELAY NAME...; the cards are called m1, m2 and so on.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my ($folder, $rate, $delay, @names) = @ARGV;
my ($bytes_a_second, $half, $longest) = ($rate * 1e6 / 8, $delay / 2000, 0.3);
my (@cards, @up, @down, @waiting, @is_cut);
for my $number (1 .. @names) {
    open(my $card, '+<', '/dev/net/tun') or die "relay: /dev/net/tun: $!\n";
    # TUNSETIFF with IFF_TAP and IFF_NO_PI: whole Ethernet frames.
    ioctl($card, 0x400454ca, pack('a16 S x22', "m$number", 0x1002)) or die "relay: no network card m$number: $!\n";
    push @cards, $card;
    push @up, 0;
    push @down, 0;
    push @waiting, [];
    push @is_cut, 0;
}
open(my $ready, '>', "$folder/relay.up") or die "relay: $folder: $!\n";
close($ready);

sub now { clock_gettime(CLOCK_MONOTONIC) }

sub carry {
    my ($frame, $from, $to, $now) = @_;
    my $seconds = length($frame) / $bytes_a_second;
    my $sent = ($up[$from] > $now ? $up[$from] : $now) + $seconds;
    return if $sent - $now > $longest;
    $up[$from] = $sent;
    my $there = $sent + $half;
    my $taken = ($down[$to] > $there ? $down[$to] : $there) + $seconds;
    return if $taken - $there > $longest;
    $down[$to] = $taken;
    push @{ $waiting[$to] }, [$taken + $half, $frame];
}

my $looked = 0;
while (1) {
    my $now = now();
    if ($now - $looked > 0.05) {
        $is_cut[$_] = -e "$folder/$names[$_].cut" ? 1 : 0 for 0 .. $#names;
        $looked = $now;
    }
    my $next = $now + 0.05;
    for my $to (0 .. $#cards) {
        my $line = $waiting[$to];
        while (@$line && $line->[0][0] <= $now) {
            my $frame = shift(@$line)->[1];
            syswrite($cards[$to], $frame) unless $is_cut[$to];
        }
        $next = $line->[0][0] if @$line && $line->[0][0] < $next;
    }
    my $bits = '';
    vec($bits, fileno($_), 1) = 1 for @cards;
    my $pause = $next - now();
    my $count = select($bits, undef, undef, $pause > 0 ? $pause : 0);
    next if $count <= 0;
    $now = now();
    for my $from (0 .. $#cards) {
        next unless vec($bits, fileno($cards[$from]), 1);
        sysread($cards[$from], my $frame, 65536) or next;
        next if $is_cut[$from] || length($frame) < 14;
        # The last byte of a card's address is its number, and that of a broadcast or multicast none.
        my $number = ord(substr($frame, 5, 1));
        my $is_for_all = ord(substr($frame, 0, 1)) & 1;
        my @to = $is_for_all ? grep { $_ != $from } 0 .. $#cards : ($number - 1);
        carry($frame, $from, $_, $now) for grep { $_ >= 0 && $_ <= $#cards } @to;
    }
}
