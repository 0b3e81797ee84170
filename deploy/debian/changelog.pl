#!/usr/bin/perl
# Prints Debian's changelog, made of CHANGELOG.md on standard input.
# Usage: changelog.pl VERSION DATE MAINTAINER, of the package that is made; other versions have the dates of their
# headings.
use strict;
use warnings;
use POSIX qw(strftime);
use Text::Wrap qw(wrap);
use Time::Local qw(timegm);

my ($newest, $date, $maintainer) = @ARGV;
$Text::Wrap::columns = 79;
$Text::Wrap::huge = 'overflow';
my ($version, $text, @points);

sub plain {
    my $line = shift;
    $line =~ s/\[([^]]*)\]\([^)]*\)/$1/g;
    $line =~ s/\*\*|`//g;
    return $line;
}

sub finish_point {
    push @points, wrap('  * ', '    ', plain($text)) if defined $text;
    undef $text;
}

sub finish_version {
    finish_point();
    return unless defined $version;
    print "splitreel ($version) unstable; urgency=medium\n\n", join("\n", @points), "\n\n -- $maintainer  $date\n\n";
    @points = ();
}

while (<STDIN>) {
    chomp;
    if (/^## (?:Unreleased|(\S+) \((\d+)-(\d+)-(\d+).*\))$/) {
        my ($released, @day) = ($1, $2, $3, $4);
        finish_version();
        # The first one is the package that is made, whether it has a number already or not.
        $date = strftime('%a, %d %b %Y 12:00:00 +0000', gmtime timegm(0, 0, 12, $day[2], $day[1] - 1, $day[0]))
            if defined $version;
        $version = defined $version ? $released : $newest;
    } elsif (!defined $version) {
        next;
    } elsif (/^###? (.*)/) {
        finish_point();
        push @points, '', "  [ $1 ]";
    } elsif (/^- (.*)/) {
        finish_point();
        $text = $1;
    } elsif (/^\s*$/) {
        finish_point();
    } else {
        s/^\s+//;
        $text = defined $text ? "$text $_" : $_;
    }
}
finish_version();
