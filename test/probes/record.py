"""Records what native CPython 3.13 answers to every probe: record.py DIR > expected.json.

A probe is a heading "### name" and the lines under it, which bind `result`; what
is kept is repr(result). Run it with the CPython that the guest build makes.
"""
import ast, asyncio, io, json, os, sys, types

TOP_LEVEL = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def probes(folder):
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".py") or file == "record.py":
            continue
        with open(os.path.join(folder, file), encoding="utf-8") as f:
            for part in ("\n" + f.read()).split("\n### ")[1:]:
                name, _, source = part.partition("\n")
                yield f"{file[:-3]}/{name}", source


def answer(source):
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    code = compile(source, "<snippet>", "exec", flags=TOP_LEVEL, dont_inherit=True)
    coroutine = eval(code, main.__dict__)
    if coroutine is not None:
        asyncio.run(coroutine)
    return repr(main.result)


kept = {}
for name, source in probes(sys.argv[1]):
    if name in kept:
        sys.exit(f"two probes are called {name}")
    try:
        kept[name] = answer(source)
    except BaseException as e:
        sys.exit(f"{name}: {type(e).__name__}: {e}")
json.dump(kept, sys.stdout, indent=1, ensure_ascii=False)
print()
