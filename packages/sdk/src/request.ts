/** One row of the generated table OPERATIONS. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly hasBody: boolean;
  readonly isForm: boolean;
  readonly isJson: boolean;
  readonly isIdempotent: boolean;
}

/** A request that is ready to be sent, except for the address, the key and the headers of the client. */
export interface OperationRequest {
  readonly operation: Operation;
  /** With its query. */
  readonly path: string;
  readonly body: string | FormData | undefined;
}

/** Splits the input into path, query and body. Throws TypeError for a value that has no place in a request. */
export function requestOf(operation: Operation, input: Record<string, unknown>): OperationRequest {
  const left = new Map(Object.entries(input));
  const take = (name: string): unknown => {
    const value = left.get(name);
    left.delete(name);
    return value;
  };
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const given = take(name);
    const value = Number.isSafeInteger(given) ? String(given) : given;
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a non-empty text`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const name of operation.query) {
    const text = queryText(name, take(name));
    if (text !== undefined) query.set(name, text);
  }
  const search = query.toString();
  return { operation, path: search === '' ? path : `${path}?${search}`, body: bodyOf(operation, left) };
}

/** An undefined value is left out; one that a query cannot carry is an error, since leaving it out would widen a filter. */
function queryText(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (value instanceof Date) return value.toISOString();
  throw new TypeError(`${name} must be a text, a number, a boolean or a Date`);
}

function bodyOf(operation: Operation, fields: ReadonlyMap<string, unknown>): string | FormData | undefined {
  const form = fields.get('form');
  if (operation.isForm && form instanceof FormData) return form;
  if (operation.isForm) return formOf(fields);
  return operation.hasBody ? JSON.stringify(Object.fromEntries(fields)) : undefined;
}

/** Files become parts of their own; other lists and objects travel as JSON, which the service reads from form fields. */
function formOf(fields: ReadonlyMap<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (value === undefined) continue;
    const files = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    if (files.length > 0 && files.every((file) => file instanceof Blob)) {
      for (const file of files) form.append(name, file);
    } else {
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
  }
  return form;
}
