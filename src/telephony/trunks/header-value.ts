import { toUse, valueOf, VARIABLE } from '../../shared/variables.ts';

/** Longest value of a header, in characters. */
const MAX_VALUE = 500;

/**
 * The value of a header for one call: its variables by their values or fallbacks. Null, so that the header is left out:
 * a variable has neither, or the value is longer than 500 characters or no single line. User-to-User with variables and
 * without parameters is text, which goes as hexadecimal octets (RFC 7433). Pure.
 */
export function headerValue(
  name: string,
  template: string,
  variables: Readonly<Record<string, string>>,
): string | null {
  let isComplete = true;
  let isConstant = true;
  const rendered = template.replace(VARIABLE, (...match: string[]) => {
    isConstant = false;
    const use = toUse(match);
    const value = valueOf(variables, use.name) ?? use.fallback;
    isComplete &&= value !== null;
    return value ?? '';
  });
  if (isConstant) return template;
  const isText = name.toLowerCase() === 'user-to-user' && !template.includes(';');
  const value = isText ? `${Buffer.from(rendered.trim()).toString('hex')};encoding=hex` : rendered.trim();
  const isLine = !/\p{Cc}/u.test(rendered) && rendered.trim() !== '';
  return isComplete && isLine && value.length <= MAX_VALUE ? value : null;
}
