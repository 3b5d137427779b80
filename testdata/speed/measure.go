//go:build unix

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// measurements are made in this order.
var measurements = []struct {
	name string
	make func(*bench) error
}{
	{"start", (*bench).starting},
	{"first frame", (*bench).firstFrame},
	{"echo", func(b *bench) error { return b.echoes(false) }},
	{"echo after 1 MB", func(b *bench) error { return b.echoes(true) }},
	{"answer", (*bench).answers},
	{"idle", (*bench).idle},
}

// starting measures from exec to the echo of a key that is pressed as soon as there is a prompt.
func (b *bench) starting() error {
	for range 4 * b.runs {
		p, err := b.chat()
		if err != nil {
			return err
		}
		at, err := p.press(typed[0])
		if err != nil {
			return err
		}
		b.report.add("exec to a usable prompt", "ms", ms(at.Sub(p.began)))
		p.quiet(settled)
		if err := b.memory(p, "memory at rest"); err != nil {
			return err
		}
		p.kill()
	}
	return nil
}

// firstFrame measures the CPU time from exec to the first frame, in turns with a bare program.
func (b *bench) firstFrame() error {
	for range 6 * b.runs {
		p, err := b.chat()
		if err != nil {
			return err
		}
		b.report.add("CPU from exec to the first frame", "ms", ms(p.kill()))
		if p, err = b.start(b.bare); err != nil {
			return err
		}
		if _, err := p.until("first frame"); err != nil {
			return err
		}
		b.report.add("the same of a bare Bubble Tea program", "ms", ms(p.kill()))
	}
	b.report.ratio("CPU to the first frame, against the bare one", "CPU from exec to the first frame", "the same of a bare Bubble Tea program")
	return nil
}

// typed are letters that stand in no answer, no word of the program and no control sequence.
var typed = []string{"Z", "Q", "X", "V", "W"}

// press types a key and returns when its echo came.
func (p *program) press(key string) (time.Time, error) {
	if err := p.write(key); err != nil {
		return time.Time{}, err
	}
	return p.until(key)
}

// echoes measures keys while nothing moves and while an answer comes.
func (b *bench) echoes(long bool) error {
	p, err := b.chat()
	if err != nil {
		return err
	}
	defer p.kill()
	behind := ""
	if long {
		behind = ", after 1 MB"
		if err := p.ask("long"); err != nil {
			return err
		}
		p.quiet(settled)
		time.Sleep(5 * time.Second)
		if err := b.memory(p, "memory after 1 MB"); err != nil {
			return err
		}
	}
	if err := b.echo(p, "key to echo, idle"+behind); err != nil {
		return err
	}
	if err := p.say("steady"); err != nil {
		return err
	}
	if _, err := p.until("answer"); err != nil {
		return err
	}
	before, at, seen := mustCPU(p), time.Now(), p.read
	if err := b.echo(p, fmt.Sprintf("key to echo, %d tokens/s%s", tokenRate, behind)); err != nil {
		return err
	}
	took := time.Since(at)
	b.report.add("CPU meanwhile, keys included"+behind, "%", 100*float64(mustCPU(p)-before)/float64(took))
	b.report.add("drawn a second meanwhile"+behind, "KiB", float64(p.read-seen)/1024/took.Seconds())
	return nil
}

// mustCPU is 0 if it cannot be told, which the figure then shows.
func mustCPU(p *program) time.Duration {
	d, _ := p.cpu()
	return d
}

// ask sends a prompt and waits for the end of its answer.
func (p *program) ask(prompt string) error {
	if err := p.say(prompt); err != nil {
		return err
	}
	_, err := p.until(lastWord)
	return err
}

// echo presses keys at a person's pace, out of step with frames and tokens.
func (b *bench) echo(p *program, name string) error {
	for i := range b.keys {
		p.drain(15*time.Millisecond + time.Duration(rand.IntN(30_000))*time.Microsecond)
		if i%60 == 59 { // a line that grows would be wrapped
			if err := p.write("\x15"); err != nil {
				return err
			}
			p.drain(settled)
		}
		at := time.Now()
		seen, err := p.press(typed[i%len(typed)])
		if err != nil {
			return err
		}
		b.report.add(name, "ms", ms(seen.Sub(at)))
	}
	p.drain(settled)
	if err := p.write("\x15"); err != nil {
		return err
	}
	p.drain(settled)
	return nil
}

// answers measures a long answer that comes as fast as it is read.
func (b *bench) answers() error {
	for range b.runs {
		p, err := b.chat()
		if err != nil {
			return err
		}
		if err := b.answer(p); err != nil {
			p.kill()
			return err
		}
		p.kill()
	}
	return nil
}

func (b *bench) answer(p *program) error {
	p.drain(time.Second) // what starts behind the first frame is over, and an Enter is not the one that started the program
	if err := p.write("flood"); err != nil {
		return err
	}
	p.quiet(settled)
	before, err := p.cpu()
	if err != nil {
		return err
	}
	at, seen := time.Now(), p.read
	if err := p.write("\r"); err != nil {
		return err
	}
	done, err := p.until(lastWord)
	if err != nil {
		return err
	}
	after, err := p.cpu()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("an answer of %d tokens: ", manyTokens)
	b.report.add(name+"wall", "s", done.Sub(at).Seconds())
	b.report.add(name+"CPU", "s", (after - before).Seconds())
	b.report.add(name+"drawn", "KiB", float64(p.read-seen)/1024)
	return nil
}

// idle measures what the program takes while nothing moves: before anything was said, and after an answer.
func (b *bench) idle() error {
	p, err := b.chat()
	if err != nil {
		return err
	}
	defer p.kill()
	const long = 10 * time.Second
	for _, name := range []string{"CPU while nothing moves", "CPU while nothing moves, after an answer"} {
		if name != "CPU while nothing moves" {
			if err := p.ask("flood"); err != nil {
				return err
			}
		}
		p.drain(2 * time.Second)
		before, err := p.cpu()
		if err != nil {
			return err
		}
		seen := p.read
		p.drain(long)
		after, err := p.cpu()
		if err != nil {
			return err
		}
		b.report.add(name, "%", 100*float64(after-before)/float64(long))
		b.report.add("drawn meanwhile", "bytes", float64(p.read-seen))
	}
	if !p.alive() {
		return errors.New("the program has ended")
	}
	return nil
}

func (b *bench) memory(p *program, name string) error {
	n, err := p.rss()
	if err != nil {
		return err
	}
	b.report.add(name, "MiB", float64(n)/(1<<20))
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
