export interface Literal {
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

const BEFORE_EXPRESSION =
  /(?:^|[=(,;:?!&|[{}<>+\-*%~^]|\b(?:return|typeof|case|in|of|do|else|await|yield))\s*$/;

/** The regular expression literals of a TypeScript source, found by a lexer of strings, templates and comments. */
export function literalsIn(text: string): Literal[] {
  const found: Literal[] = [];
  /** The depth of braces at which each open template continues. */
  const templates: number[] = [];
  let depth = 0;
  let at = 0;
  let code = '';
  const template = (): void => {
    while (at < text.length && text[at] !== '`') {
      if (text[at] === '$' && text[at + 1] === '{') {
        at += 2;
        templates.push(depth);
        code = '(';
        return;
      }
      at += text[at] === '\\' ? 2 : 1;
    }
    at += 1;
    code = 'x';
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    const two = text.slice(at, at + 2);
    if (two === '//') at = (text + '\n').indexOf('\n', at);
    else if (two === '/*') at = text.indexOf('*/', at) + 2;
    else if (char === "'" || char === '"') {
      at += 1;
      while (at < text.length && text[at] !== char) at += text[at] === '\\' ? 2 : 1;
      at += 1;
      code = 'x';
    } else if (char === '`') {
      at += 1;
      template();
    } else if (char === '}' && templates.at(-1) === depth) {
      templates.pop();
      at += 1;
      template();
    } else if (char === '/' && BEFORE_EXPRESSION.test(code)) {
      const from = at + 1;
      let isInClass = false;
      for (at = from; at < text.length && (isInClass || text[at] !== '/'); at += 1) {
        if (text[at] === '\\') at += 1;
        else if (text[at] === '[') isInClass = true;
        else if (text[at] === ']') isInClass = false;
      }
      const flags = /^[a-z]*/.exec(text.slice(at + 1, at + 10))?.[0] ?? '';
      found.push({ line: text.slice(0, from).split('\n').length, source: text.slice(from, at), flags });
      at += 1 + flags.length;
      code = 'x';
    } else {
      if (char === '{') depth += 1;
      if (char === '}') depth -= 1;
      code = (code + char).slice(-20);
      at += 1;
    }
  }
  return found;
}
