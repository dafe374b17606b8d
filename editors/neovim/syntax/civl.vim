" CIVL programs. Names get their meaning from the server's semantic tokens; this is the ground below them.
if exists("b:current_syntax")
  finish
endif

syntax case match

syntax keyword civlDeclaration const function axiom type datatype var procedure implementation action invariant
syntax keyword civlMover left right both atomic
syntax keyword civlModifier yield pure unique revealed hideable free async returns where uses hidden
syntax keyword civlSpecification refines requires ensures preserves asserts modifies measure
syntax keyword civlStatement assert assume havoc call reveal hide push pop break goto return
syntax keyword civlConditional if then else
syntax keyword civlRepeat while
syntax keyword civlOperator forall exists lambda old is div mod
syntax keyword civlType int bool real
syntax match civlType "\<bv\d\+\>"
syntax keyword civlBoolean true false

syntax match civlNumber "\<\d\+\(bv\d\+\)\?\>"
syntax match civlNumber "\<\d\+\.\d\+\(e-\?\d\+\)\?\>"
syntax region civlString start=+"+ skip=+\\"+ end=+"+ oneline
syntax match civlAttribute "{\s*:\w\+"hs=s+1
syntax match civlSymbol "<==>\|==>\|<==\|:=\|::\|==\|!=\|<=\|>=\|&&\|||\|->\|++"

syntax keyword civlTodo TODO FIXME NOTE contained
syntax match civlComment "//.*$" contains=civlTodo,@Spell
syntax region civlComment start="/\*" end="\*/" contains=civlTodo,civlComment,@Spell
syntax region civlBlock start="{" end="}" transparent fold

syntax sync minlines=50

highlight default link civlDeclaration Keyword
highlight default link civlMover StorageClass
highlight default link civlModifier StorageClass
highlight default link civlSpecification PreProc
highlight default link civlStatement Statement
highlight default link civlConditional Conditional
highlight default link civlRepeat Repeat
highlight default link civlOperator Operator
highlight default link civlSymbol Operator
highlight default link civlType Type
highlight default link civlBoolean Boolean
highlight default link civlNumber Number
highlight default link civlString String
highlight default link civlAttribute Special
highlight default link civlTodo Todo
highlight default link civlComment Comment

let b:current_syntax = "civl"
