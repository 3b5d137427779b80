package markdown

var (
	double    = quote{open: `"`, end: `"`, escapes: true}
	apostroph = quote{open: "'", end: "'", escapes: true}
	character = quote{open: "'", end: "'", escapes: true, single: true}
	backtick  = quote{open: "`", end: "`", escapes: true, lines: true}
	rawTick   = quote{open: "`", end: "`", lines: true}
	triple    = quote{open: `"""`, end: `"""`, escapes: true, lines: true}
	triple1   = quote{open: "'''", end: "'''", escapes: true, lines: true}
	shell2    = quote{open: `"`, end: `"`, escapes: true, lines: true}
	shell1    = quote{open: "'", end: "'", lines: true}

	slashes   = []string{"//"}
	hash      = []string{"#"}
	dashes    = []string{"--"}
	starred   = [2]string{"/*", "*/"}
	ofMarkup  = [2]string{"<!--", "-->"}
	ofHaskell = [2]string{"{-", "-}"}
)

// languages is the table of what can be coloured: another language is another row.
func languages() []*language {
	return append(compiled(), append(scripts(), data()...)...)
}

func compiled() []*language {
	return []*language{
		{names: "go golang", line: slashes, block: starred, quotes: []quote{double, rawTick, character},
			keywords: "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var",
			types:    "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr true false nil iota"},
		{names: "rust rs", line: slashes, block: starred, nests: true, quotes: []quote{double, character}, capitals: true, sigils: "#",
			keywords: "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return self static struct super trait type union unsafe use where while",
			types:    "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize true false Self None Some Ok Err"},
		{names: "c h cpp c++ cc cxx hpp cuda objective-c objc arduino glsl", line: slashes, block: starred, quotes: []quote{double, character}, sigils: "#@",
			keywords: "alignas alignof asm auto break case catch class co_await co_return co_yield concept const constexpr continue decltype default delete do else enum explicit export extern final for friend goto if inline mutable namespace new noexcept operator override private protected public register requires restrict return sizeof static static_assert static_cast dynamic_cast reinterpret_cast const_cast struct switch template this throw try typedef typename union using virtual volatile while",
			types:    "bool char char8_t char16_t char32_t double float int int8_t int16_t int32_t int64_t long short signed size_t ssize_t std string uint8_t uint16_t uint32_t uint64_t unsigned void wchar_t NULL nullptr true false"},
		{names: "java", line: slashes, block: starred, quotes: []quote{triple, double, character}, capitals: true, sigils: "@",
			keywords: "abstract assert break case catch class continue default do else enum exports extends final finally for if implements import instanceof interface module native new package permits private protected public record requires return sealed static strictfp super switch synchronized this throw throws transient try var volatile while yield",
			types:    "boolean byte char double float int long short void true false null"},
		{names: "kotlin kt kts", line: slashes, block: starred, nests: true, quotes: []quote{triple, double, character}, capitals: true, sigils: "@",
			keywords: "abstract actual annotation as break by catch class companion const constructor continue crossinline data do else enum expect external final finally for fun get if import in infix init inline inner interface internal is lateinit noinline object open operator out override package private protected public reified return sealed set super suspend tailrec this throw try typealias val value var vararg when where while",
			types:    "true false null"},
		{names: "scala sbt groovy gradle", line: slashes, block: starred, quotes: []quote{triple, double, character}, capitals: true, sigils: "@",
			keywords: "abstract case catch class def do else enum export extends extension final finally for forSome given if implicit import lazy match new object override package private protected return sealed super then this throw trait try type using val var while with yield",
			types:    "true false null"},
		{names: "swift", line: slashes, block: starred, nests: true, quotes: []quote{triple, double}, capitals: true, sigils: "@#",
			keywords: "actor any as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough fileprivate final for func get guard if import in indirect init inout internal is isolated lazy let mutating nonisolated open operator override private protocol public repeat rethrows return self set some static struct subscript super switch throw throws try typealias var weak where while",
			types:    "true false nil Self"},
		{names: "csharp cs c# fsharp f#", line: slashes, block: starred, quotes: []quote{triple, double, character}, capitals: true, sigils: "#@",
			keywords: "abstract as async await base break case catch checked class const continue default delegate do else enum event explicit extern finally fixed for foreach get goto if implicit in init interface internal is let lock match namespace new operator out override params private protected public readonly record ref required return sealed set sizeof static struct switch this throw try typeof unsafe using var virtual volatile when where while with yield",
			types:    "bool byte char decimal double dynamic float int long nint object sbyte short string uint ulong ushort void true false null"},
		{names: "zig", line: slashes, quotes: []quote{double, character}, capitals: true, sigils: "@",
			keywords: "and anytype asm break catch comptime const continue defer else enum errdefer error export extern fn for if inline or orelse packed pub return struct switch test threadlocal try union unreachable usingnamespace var volatile while",
			types:    "bool f32 f64 i8 i16 i32 i64 isize u8 u16 u32 u64 usize void anyerror type true false null undefined"},
		{names: "dart", line: slashes, block: starred, quotes: []quote{triple, triple1, double, apostroph}, capitals: true, sigils: "@",
			keywords: "abstract as assert async await base break case catch class const continue covariant default do else enum export extends extension external factory final finally for get hide if implements import in interface is late library mixin new on operator part required rethrow return sealed set show static super switch sync this throw try typedef var when while with yield",
			types:    "bool double dynamic int num void true false null"},
		{names: "haskell hs elm purescript", line: dashes, block: ofHaskell, nests: true, quotes: []quote{double, character}, capitals: true, joins: "'",
			keywords: "as case class data default deriving do else exposing family forall foreign hiding if import in infix infixl infixr instance let module newtype of port qualified then type where"},
		{names: "ocaml ml reason", block: [2]string{"(*", "*)"}, nests: true, quotes: []quote{double, character}, capitals: true, joins: "'",
			keywords: "and as assert begin class constraint do done downto else end exception external for fun function functor if in include inherit initializer lazy let match method module mutable new nonrec object of open or private rec sig struct then to try type val virtual when while with",
			types:    "bool char float int list option string unit true false"},
		{names: "proto protobuf thrift", line: slashes, block: starred, quotes: []quote{double, apostroph},
			keywords: "enum extend extensions import map message oneof option optional package public repeated required reserved returns rpc service stream syntax to",
			types:    "bool bytes double fixed32 fixed64 float int32 int64 sfixed32 sfixed64 sint32 sint64 string uint32 uint64 true false"},
		{names: "solidity sol", line: slashes, block: starred, quotes: []quote{double, apostroph}, capitals: true,
			keywords: "abstract assembly break calldata catch constant constructor continue contract delete do else emit enum error event external fallback for function if immutable import indexed interface internal is library mapping memory modifier new override payable pragma private public pure receive return returns revert storage struct switch this throw try type unchecked using view virtual while",
			types:    "address bool bytes bytes32 int int256 string uint uint8 uint256 true false"},
	}
}

func scripts() []*language {
	return []*language{
		{names: "python py python3 py3 pyi starlark bazel pycon", line: hash, quotes: []quote{triple, triple1, double, apostroph}, capitals: true, sigils: "@",
			keywords: "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield",
			types:    "bool bytes dict float frozenset int list object set str tuple True False None self cls"},
		{names: "javascript js jsx mjs cjs typescript ts tsx mts node", line: slashes, block: starred, quotes: []quote{double, apostroph, backtick}, capitals: true, sigils: "@$",
			keywords: "abstract as async await break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in infer instanceof interface is keyof let namespace new of override private protected public readonly return satisfies set static super switch this throw try type typeof using var void while with yield",
			types:    "any bigint boolean never number object string symbol unknown true false null undefined NaN Infinity"},
		{names: "bash sh shell zsh ksh fish shellscript", line: hash, quotes: []quote{shell2, shell1}, sigils: "$", joins: "-",
			keywords: "alias break case cd continue do done echo elif else end esac eval exec exit export fi for function if in local printf read readonly return select set shift source then trap unset until while",
			types:    "true false"},
		{names: "ruby rb erb crystal", line: hash, block: [2]string{"=begin", "=end"}, quotes: []quote{double, apostroph}, capitals: true, sigils: "@$:", joins: "?!",
			keywords: "alias and begin break case class def defined? do else elsif end ensure extend for if in include module next not or prepend private protected public raise redo require require_relative rescue retry return self super then undef unless until when while yield",
			types:    "true false nil"},
		{names: "php", line: []string{"//", "#"}, block: starred, quotes: []quote{double, apostroph}, capitals: true, sigils: "$",
			keywords: "abstract and array as break case catch class clone const continue declare default do echo else elseif enum extends final finally fn for foreach function global if implements include include_once instanceof interface isset list match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while xor yield",
			types:    "bool float int iterable mixed null object self string void true false"},
		{names: "perl pl", line: hash, quotes: []quote{double, apostroph}, sigils: "$@%",
			keywords: "and bless die do each else elsif eval for foreach grep if keys last local map my next no not or our package print push require return shift sort splice sub undef unless until use values wantarray while"},
		{names: "lua luau", line: dashes, block: [2]string{"--[[", "]]"}, quotes: []quote{{open: "[[", end: "]]", lines: true}, double, apostroph},
			keywords: "and break do else elseif end for function goto if in local not or repeat return then until while",
			types:    "true false nil self"},
		{names: "elixir ex exs", line: hash, quotes: []quote{triple, double, apostroph}, capitals: true, sigils: "@:", joins: "?!",
			keywords: "after alias and case catch cond def defdelegate defexception defimpl defmacro defmodule defp defprotocol defstruct do else end fn for if import in not or quote raise receive require rescue super try unless unquote use when with",
			types:    "true false nil"},
		{names: "erlang erl", line: []string{"%"}, quotes: []quote{double, apostroph}, capitals: true,
			keywords: "after and begin case catch div end fun if not of or receive rem try when xor"},
		{names: "clojure clj cljs edn lisp elisp scheme racket", line: []string{";"}, quotes: []quote{{open: `"`, end: `"`, escapes: true, lines: true}}, sigils: ":", joins: "-?!*+<>=/.'",
			keywords: "and case cond def defmacro defmethod defmulti defn defprotocol defrecord defun define do doseq dotimes else fn for if if-let import lambda let let* letfn loop ns not or progn quote recur require set! setq throw try use when when-let",
			types:    "true false nil t"},
		{names: "r rscript julia jl", line: hash, block: [2]string{"#=", "=#"}, quotes: []quote{triple, double, apostroph}, sigils: "@",
			keywords: "abstract baremodule begin break catch const continue do else elseif end export finally for function global if import in let library local macro module mutable next primitive quote repeat require return struct try type using where while",
			types:    "TRUE FALSE NULL NA Inf NaN true false nothing missing"},
		{names: "powershell ps1 pwsh", line: hash, block: [2]string{"<#", "#>"}, anyCase: true, quotes: []quote{{open: `"`, end: `"`, lines: true}, shell1}, sigils: "$", joins: "-",
			keywords: "begin break catch class continue do else elseif end exit filter finally for foreach function if in param process return switch throw trap try until using while"},
		{names: "sql postgresql postgres psql mysql sqlite plsql tsql", line: dashes, block: starred, anyCase: true, quotes: []quote{{open: "'", end: "'", lines: true}, {open: `"`, end: `"`}, {open: "`", end: "`"}},
			keywords: "add all alter analyze and any as asc begin between by cascade case check column commit conflict constraint create cross current database declare default delete desc distinct do drop each else end except exists explain false fetch first for foreign from full function grant group having if ilike in index inner insert intersect into is join key last lateral left like limit materialized natural not nothing null nulls of offset on or order outer over partition primary procedure recursive references replace restrict returning returns revoke right rollback row rows schema select set table temporary then to transaction trigger true truncate union unique update using values view when where window with",
			types:    "array bigint bigserial blob boolean bytea char date datetime decimal double float int integer interval json jsonb numeric precision real serial smallint text time timestamp timestamptz uuid varchar"},
		{names: "nix", line: hash, block: starred, quotes: []quote{{open: "''", end: "''", lines: true}, shell2}, joins: "-'",
			keywords: "assert else if in inherit let or rec then with", types: "true false null", keys: "="},
		{names: "vim viml vimscript", quotes: []quote{apostroph}, sigils: "&",
			keywords: "augroup autocmd call command echo else elseif endfor endfunction endif endwhile execute for function if let map nmap nnoremap return set syntax unlet vmap while"},
	}
}

func data() []*language {
	return []*language{
		{names: "json jsonc json5 jsonl ndjson geojson", line: slashes, block: starred, quotes: []quote{double, apostroph}, keys: ":", types: "true false null"},
		{names: "yaml yml", line: hash, quotes: []quote{double, apostroph}, keys: ":", sigils: "&*!", joins: "-./", types: "true false null yes no on off"},
		{names: "toml ini cfg conf dotenv env properties editorconfig systemd", line: []string{"#", ";"}, quotes: []quote{triple, triple1, double, apostroph}, keys: "=", joins: "-.", types: "true false", whole: ofConfig},
		{names: "hcl terraform tf bicep", line: []string{"#", "//"}, block: starred, quotes: []quote{double}, keys: "=", joins: "-",
			keywords: "data dynamic for if in locals module output provider resource terraform variable", types: "any bool list map number object set string true false null"},
		{names: "html htm xml xhtml svg vue svelte xaml plist astro", block: ofMarkup, tags: true, joins: "-:.@", quotes: []quote{{open: `"`, end: `"`, lines: true}, shell1}},
		{names: "css scss sass less", line: slashes, block: starred, quotes: []quote{double, apostroph}, sigils: "@$", joins: "-", keys: ":"},
		{names: "graphql gql", line: hash, quotes: []quote{triple, double}, capitals: true, sigils: "$@",
			keywords: "directive enum extend fragment implements input interface mutation on query scalar schema subscription type union", types: "Boolean Float ID Int String true false null"},
		{names: "dockerfile docker containerfile", line: hash, quotes: []quote{double, apostroph}, sigils: "$",
			keywords: "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR"},
		{names: "makefile make mk just cmake", line: hash, quotes: []quote{double}, sigils: "$.", joins: "-.", keys: ":=",
			keywords: "define else endef endif export ifdef ifeq ifndef ifneq include override unexport"},
		{names: "nginx", line: hash, quotes: []quote{double, apostroph}, sigils: "$", joins: "-",
			keywords: "events http if listen location proxy_pass return rewrite root server server_name set upstream"},
		{names: "diff patch udiff", whole: ofPatch},
	}
}
