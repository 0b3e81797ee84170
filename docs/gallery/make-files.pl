#!/usr/bin/perl
# Makes files that ffmpeg does not write of ones that it wrote: a HEIC picture, a JPEG with an ICC profile, and a film whose
# edit list has several stretches. Usage: make-files.pl KIND FROM TO.
use strict;
use warnings;

my ($kind, $from, $to) = @ARGV;
my $bytes = contents($from);
my $made =
    $kind eq 'heic'    ? heic($bytes)
  : $kind eq 'profile' ? profiled($bytes)
  : $kind eq 'edits'   ? edited($bytes)
  :                      die "no such kind: $kind\n";
open my $out, '>:raw', $to or die "$to: $!\n";
print {$out} $made;
close $out or die "$to: $!\n";

sub contents {
    open my $in, '<:raw', $_[0] or die "$_[0]: $!\n";
    local $/;
    return scalar <$in>;
}

sub box { my ($name, @content) = @_; my $all = join '', @content; return pack('N', 8 + length $all) . $name . $all }

# The content of the first box of that name, wherever it stands.
sub content {
    my ($name, $bytes) = @_;
    my $place = index $bytes, $name;
    die "no $name\n" if $place < 4;
    return substr $bytes, $place + 4, unpack('N', substr $bytes, $place - 4, 4) - 8;
}

# One picture of 640x360 that an MP4 file holds in HEVC, a quarter turn to the left.
sub heic {
    my ($film) = @_;
    my ($settings, $data) = (content('hvcC', $film), content('mdat', $film));
    my $full    = pack 'N', 0;
    my $type    = box('ftyp', 'heic', $full, 'mif1heic');
    my $between = sub {
        my ($start) = @_;
        my $properties = box('ipco', box('hvcC', $settings), box('ispe', $full, pack('NN', 640, 360)), box('irot', pack 'C', 1));
        my $uses = box('ipma', $full, pack('NnC', 1, 1, 3), pack('CCC', 0x81, 0x82, 0x83));
        return box(
            'meta', $full,
            box('hdlr', pack('NN', 0, 0), 'pict', pack('N3C', 0, 0, 0, 0)),
            box('pitm', $full, pack 'n', 1),
            box('iloc', $full, pack('CCn', 0x44, 0, 1), pack('nnnNN', 1, 0, 1, $start, length $data)),
            box('iinf', $full, pack('n', 1), box('infe', pack('Nnn', 0x02000000, 1, 0), 'hvc1', pack 'C', 0)),
            box('iprp', $properties, $uses));
    };
    return $type . $between->(length($type) + length($between->(0)) + 8) . box('mdat', $data);
}

# A number of an ICC profile.
sub fixed { return pack 'N', int($_[0] * 65536 + ($_[0] < 0 ? -0.5 : 0.5)) & 0xFFFFFFFF }

# Behind a JPEG's first marker: a profile whose primaries are wide and whose curve is a power of 2.2, as Adobe RGB's are.
sub profiled {
    my ($picture) = @_;
    my $point = sub { return 'XYZ ' . pack('N', 0) . join '', map { fixed($_) } @_ };
    my $curve = 'curv' . pack('NNn', 0, 1, 563) . "\0\0";
    my $words = 'text' . pack('N', 0) . "gallery\0";
    my @tags  = (
        [desc => 'desc' . pack('NN', 0, 8) . "gallery\0" . "\0" x 78], [cprt => $words],
        [wtpt => $point->(0.9642, 1, 0.8249)],           [rXYZ => $point->(0.60974, 0.31111, 0.01947)],
        [gXYZ => $point->(0.20528, 0.62567, 0.06087)],   [bXYZ => $point->(0.14919, 0.06322, 0.74457)],
        [rTRC => $curve], [gTRC => $curve], [bTRC => $curve]);
    my ($table, $data, $place) = ('', '', 132 + 12 * @tags);
    for my $tag (@tags) {
        my ($name, $content) = @$tag;
        $content .= "\0" x (-length($content) % 4);
        $table   .= $name . pack 'NN', $place + length $data, length $content;
        $data    .= $content;
    }
    my $head = pack('N', 0) . "\0" x 4 . "\x02\x10\0\0mntrRGB XYZ " . "\0" x 12 . 'acsp' . "\0" x 28
      . join('', map { fixed($_) } 0.9642, 1, 0.8249) . "\0" x 48;
    my $profile = $head . pack('N', scalar @tags) . $table . $data;
    substr($profile, 0, 4) = pack 'N', length $profile;
    my $segment = "ICC_PROFILE\0\x01\x01$profile";
    return substr($picture, 0, 2) . "\xFF\xE2" . pack('n', 2 + length $segment) . $segment . substr $picture, 2;
}

# The last second, a second of nothing, the first second at half its speed: of a film whose index comes last.
sub edited {
    my ($film) = @_;
    my $old   = box('edts', content('edts', $film));
    my $place = index $film, $old;
    my $start = unpack 'N', substr $old, 28, 4;
    my $ticks = unpack 'N', substr content('mdhd', $film), 12, 4;
    my @edits = ([1000, $start + 3 * $ticks, 1], [1000, 0xFFFFFFFF, 1], [2000, $start, 0.5]);
    my $list  = join '', map { pack 'NNN', $_->[0], $_->[1], $_->[2] * 65536 } @edits;
    my $new   = box('edts', box('elst', pack('NN', 0, scalar @edits), $list));
    for my $name ('moov', 'trak') {
        my $size = rindex($film, $name) - 4;
        substr($film, $size, 4) = pack 'N', unpack('N', substr $film, $size, 4) + length($new) - length $old;
    }
    substr($film, $place, length $old) = $new;
    return $film;
}
