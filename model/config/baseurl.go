package config

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// cleanURL checks a base URL and returns it without final slashes. What is wrong is
// said without the address, which may carry a password; msg reads after the key's name.
func cleanURL(raw string, allowPlain bool) (clean, msg, next string) {
	const form = "write it like https://api.example.com/v1"
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil:
		return "", "is not an address", form
	case u.User != nil || strings.Contains(u.Host, "@"):
		return "", "must not carry a user name or password", "use api_key_env, api_key_command or api_key_file"
	case u.Scheme != "http" && u.Scheme != "https":
		return "", "must begin with https:// or http://", form
	case u.Hostname() == "" || !plainHost(u.Host) || !validPort(u.Port()):
		return "", "must name a host, in ASCII, with a port from 1 to 65535 if any", form
	case strings.ContainsAny(raw, "?#"):
		return "", "must end with its path, without ? or #", form
	case u.Scheme == "http" && !allowPlain && !isLoopback(u.Hostname()):
		return "", "is plain http to another machine (" + u.Host + "): everything, the key included, would be readable on the way",
			"use https, or allow_plain_http = true (--allow-plain-http) if you trust the network"
	}
	return strings.TrimRight(u.String(), "/"), "", ""
}

// origin is scheme://host[:port] of a URL, in lower case, without the scheme's own port.
func origin(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return strings.ToLower(u.Scheme) + "://" + host
}

// originOf is the origin of an address that may not be one.
func originOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return origin(u)
}

func isLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// plainHost refuses letters that only look like others: a host outside ASCII has an
// ASCII form, and that is the one to write.
func plainHost(host string) bool {
	return !strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '%' || r == '\\' })
}

func validPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.Atoi(port)
	return err == nil && n >= 1 && n <= 65535
}
