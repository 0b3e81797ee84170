#!/usr/bin/perl
# Writes parameters.md of the document that `splitreel effects --json` prints. Used by make.sh.
use strict;
use warnings;
use utf8;
use JSON::PP;

binmode STDOUT, ':utf8';
my $all = do { local $/; decode_json(<STDIN>)->{effects} };

# Neighbours of one family, such as wipe.left and wipe.right, that have the same parameters share an entry.
my @entries;
for my $effect (@$all) {
    next if $effect->{kind} eq 'blend' || $effect->{kind} eq 'compositor';
    my ($family) = $effect->{id} =~ /^([^.]*)/;
    my $key = JSON::PP->new->canonical->encode([$effect->{kind}, $family, $effect->{parameters}]);
    if (@entries && $entries[-1]{key} eq $key && $family ne 'av') { push @{$entries[-1]{ids}}, $effect->{id} }
    else { push @entries, {key => $key, ids => [$effect->{id}], %$effect} }
}

print <<'WORDS';
# Parameters

This page is made from the registered effects, transitions and taps by `docs/reference/make.sh`. `splitreel effects ID` prints one entry.

A parameter stands in `params`, such as `{ "id": "blur", "params": { "radius": 12 } }`. Lengths in pixels are those of the picture that the effect works on. Where **keys** says yes, a list of [keys](README.md#keys) may move the value.
WORDS

for my $kind (['effect', 'Effects'], ['transition', 'Transitions'], ['tap', 'Taps']) {
    my @some = grep { $_->{kind} eq $kind->[0] } @entries;
    print "\n## $kind->[1]\n";
    my @none = map { @{$_->{ids}} } grep { !@{$_->{parameters}} } @some;
    print "\nThese have no parameters: ", join(', ', map { "`$_`" } @none), ".\n" if @none;
    for my $entry (grep { @{$_->{parameters}} } @some) {
        print "\n### ", join(', ', @{$entry->{ids}}), "\n\n";
        print "$entry->{summary}\n\n" if @{$entry->{ids}} == 1;
        print "| parameter | may be | default | keys | meaning |\n|---|---|---|---|---|\n";
        for my $one (@{$entry->{parameters}}) {
            my $meaning = $one->{summary} =~ s/\|/\\|/gr;
            print "| `$one->{name}` | ", allowed($one), ' | ', fallback($one), ' | ', $one->{keys} ? 'yes' : 'no',
                " | $meaning |\n";
        }
    }
}

sub span { my ($one) = @_; return "$one->{range}[0] to $one->{range}[1]" . ($one->{unit} ? " $one->{unit}" : '') }

sub allowed {
    my ($one) = @_;
    my $type = $one->{type};
    return span($one) if $type eq 'number';
    return "$one->{count} numbers, " . span($one) if $type eq 'numbers';
    return 'a list of points of ' . "$one->{count} numbers, " . span($one) if $type eq 'points';
    return 'a colour' if $type eq 'color';
    return join ', ', map { "`$_`" } @{$one->{words}} if $type eq 'word';
    return '`true`, `false`' if $type eq 'flag';
    return 'the name of an asset with a picture' if $type eq 'picture';
    return 'the id of a video track' if $type eq 'track';
    return "the name of an asset of kind `$one->{asset}`" if $type eq 'file';
    return "the name of an asset with sound, $one->{range}[1] s at most" if $type eq 'sound';
    return 'the id of an audio track' if $type eq 'audioTrack';
    return 'a list of ids of audio tracks' if $type eq 'audioTracks';
    die "no such type: $type\n";
}

sub fallback {
    my ($one) = @_;
    return 'required' if $one->{required};
    return 'none' unless exists $one->{default};
    my $value = $one->{default};
    return '`[' . join(', ', @$value) . ']`' if ref $value eq 'ARRAY';
    return $value ? '`true`' : '`false`' if ref $value;
    return $one->{type} eq 'word' ? "`$value`" : $value;
}
