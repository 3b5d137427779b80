package picture

import (
	"fmt"

	"baton/ui/termtest"
)

const (
	ground = "#1d2129"
	above  = "#2a303b" // of the title
	ink    = "#d5d9e0"
)

// sixteen are the colours that terminals choose themselves, here such that all can be read on the ground.
var sixteen = [16]string{
	"#3d4451", "#ee7b84", "#9ccb7a", "#e6c06f", "#74b3f5", "#cf9bf0", "#5fcbd9", "#c9ced6",
	"#868e9c", "#f5939b", "#b1dc92", "#f1d28c", "#93c6fa", "#deb6f7", "#84dce7", "#f2f4f7",
}

// colours are those of a character and of its ground; "" for a ground that is the window's.
func colours(l termtest.Look) (fill, behind string) {
	fill, behind = hex(l.Fg, ink), hex(l.Bg, "")
	if l.Reverse {
		behind = fill
		if fill = hex(l.Bg, ground); l.Faint {
			behind = faintly(behind)
		}
		return fill, behind
	}
	if l.Faint {
		fill = faintly(fill)
	}
	return fill, behind
}

// hex is a colour of the palette as SVG writes it.
func hex(c termtest.Colour, own string) string {
	n := int(c) - 1
	switch {
	case n < 0:
		return own
	case n < 16:
		return sixteen[n]
	case n < 232:
		step := [6]int{0, 95, 135, 175, 215, 255}
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", step[n/36], step[n/6%6], step[n%6])
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}

// faintly mixes a colour with the ground, as faint text is drawn, so that it still has a contrast of 4.5 to 1.
func faintly(colour string) string {
	const share = 0.62
	var mixed [3]int
	for i := range mixed {
		var a, b int
		_, _ = fmt.Sscanf(colour[1+2*i:3+2*i], "%02x", &a) // it is one of ours
		_, _ = fmt.Sscanf(ground[1+2*i:3+2*i], "%02x", &b)
		mixed[i] = int(share*float64(a) + (1-share)*float64(b) + 0.5)
	}
	return fmt.Sprintf("#%02x%02x%02x", mixed[0], mixed[1], mixed[2])
}
