#!/usr/bin/perl
# Prints what a page of the gallery shows of a composition: a template's command, and a block of JSON with the members that
# `part` names, in lines of 100 characters. Usage: show.pl FILE
# With `most`, lists of instructions and of sublayers are shown up to that many; where the rest is stands below the block.
use strict;
use warnings;

my $width = 100;
my ($path) = @ARGV;
open my $in, '<', $path or die "$path: $!\n";
my $text = do { local $/; <$in> };
my $file    = value();
my $gallery = member(member($file, 'metadata'), 'gallery');
my $most    = member($gallery, 'most');
$most = $most->{text} if $most;
my $cut = 0;

command(member(member($file, 'metadata'), 'template'));
print "```json\n";
my @parts = map { unquoted($_) } @{ member($gallery, 'part')->{items} };
for my $number (0 .. $#parts) {
    my $found = found($parts[$number]) or die "$path: no $parts[$number]\n";
    my $comma = $number < $#parts ? ',' : '';
    print "\"$parts[$number]\": ", laid(shortened($found, $parts[$number]), 0, length($parts[$number]) + 4), "$comma\n";
}
print "```\n";
print "\nThe rest is in [$path]($path).\n" if $cut;

# The value at the place where the reading is: its `kind`; an object's `keys` and `items`, a list's `items`, or its `text`.
sub value {
    $text =~ /\G\s*/gc;
    return list('}', 'object') if $text =~ /\G\{/gc;
    return list(']', 'list')   if $text =~ /\G\[/gc;
    $text =~ /\G("(?:[^"\\]|\\.)*"|[^\s,\]\}]+)/gc or die "$path: not JSON at " . (pos($text) // 0) . "\n";
    return { kind => 'text', text => $1 };
}

sub list {
    my ($end, $kind) = @_;
    my $made = { kind => $kind, keys => [], items => [] };
    until ($text =~ /\G[\s,]*\Q$end\E/gc) {
        $text =~ /\G[\s,]+/gc;
        if ($kind eq 'object') {
            $text =~ /\G"((?:[^"\\]|\\.)*)"\s*:/gc or die "$path: no key at " . (pos($text) // 0) . "\n";
            push @{ $made->{keys} }, $1;
        }
        push @{ $made->{items} }, value();
    }
    return $made;
}

sub unquoted { my $words = $_[0]{text}; $words =~ s/^"|"$//g; $words =~ s/\\(["\\])/$1/g; return $words }

sub member {
    my ($object, $key) = @_;
    return undef unless $object && $object->{kind} eq 'object';
    for my $number (0 .. $#{ $object->{keys} }) { return $object->{items}[$number] if $object->{keys}[$number] eq $key }
    return undef;
}

# The member of that name that stands in the fewest objects; what the file says of itself is passed over.
sub found {
    my ($key) = @_;
    my @objects = ($file);
    while (my $object = shift @objects) {
        my $own = member($object, $key);
        return $own if $own;
        for my $number (0 .. $#{ $object->{items} }) {
            next if $object->{kind} eq 'object' && $object->{keys}[$number] eq 'metadata';
            push @objects, $object->{items}[$number] if $object->{items}[$number]{items};
        }
    }
    return undef;
}

# A value with at most so many instructions and sublayers as `most` says.
sub shortened {
    my ($whole, $key) = @_;
    return $whole unless $most && $whole->{items};
    my @items = map { shortened($whole->{items}[$_], $whole->{keys}[$_] // $key) } 0 .. $#{ $whole->{items} };
    if ($whole->{kind} eq 'list' && $key =~ /^(?:instructions|sublayers)$/ && @items > $most) {
        $#items = $most - 1;
        $cut = 1;
    }
    return { %$whole, items => \@items };
}

sub oneLine {
    my ($node) = @_;
    return $node->{text} unless $node->{items};
    my @words = map { oneLine($_) } @{ $node->{items} };
    return '[' . join(', ', @words) . ']' if $node->{kind} eq 'list';
    @words = map { "\"$node->{keys}[$_]\": $words[$_]" } 0 .. $#words;
    return @words ? '{ ' . join(', ', @words) . ' }' : '{}';
}

# A value that begins `used` characters from the left of a line, whose next lines are indented by `indent`.
sub laid {
    my ($node, $indent, $used) = @_;
    my $line = oneLine($node);
    return $line if $used + length($line) < $width || !$node->{items};
    my $object = $node->{kind} eq 'object';
    # A list of one object needs no lines of its own.
    return '[' . laid($node->{items}[0], $indent, $used + 1) . ']'
      if !$object && @{ $node->{items} } == 1 && $node->{items}[0]{items};
    my $inner = $indent + 2;
    my (@lines, $isOpen);
    for my $number (0 .. $#{ $node->{items} }) {
        my $item  = $node->{items}[$number];
        my $name  = $object ? "\"$node->{keys}[$number]\": " : '';
        my $words = $name . laid($item, $inner, $inner + length $name);
        # Short values share a line; `params`, and objects in general, have their own.
        my $isShort = isPlain($item) && $words !~ /\n/;
        if ($isOpen && $isShort && $inner + length($lines[-1]) + length($words) + 3 <= $width) {
            $lines[-1] .= ", $words";
        } else {
            push @lines, $words;
        }
        $isOpen = $isShort;
    }
    my $space = ' ' x $inner;
    my ($left, $right) = $object ? ('{', '}') : ('[', ']');
    return "$left\n" . join(",\n", map { $space . $_ } @lines) . "\n" . (' ' x $indent) . $right;
}

# Whether a value is a text, a number, or a list of these.
sub isPlain {
    my ($node) = @_;
    return 1 unless $node->{items};
    return $node->{kind} eq 'list' && !grep { $_->{items} } @{ $node->{items} };
}

# The line that makes the block of a template, as a terminal takes it.
sub command {
    my ($template) = @_;
    return unless $template;
    my $parameters = member($template, 'parameters');
    my $line = 'splitreel templates ' . unquoted(member($template, 'name')) . ' --expand';
    for my $number (0 .. $#{ $parameters->{keys} }) {
        my $node  = $parameters->{items}[$number];
        my $words = $node->{items} ? join('\n', map { unquoted($_) } @{ $node->{items} }) : unquoted($node);
        $words = $node->{items} ? "\$'$words'" : $words =~ /[^\w.\/-]/ ? "\"$words\"" : $words;
        $line .= " --set $parameters->{keys}[$number]=$words";
    }
    print "```sh\n$line\n```\n\n";
}
