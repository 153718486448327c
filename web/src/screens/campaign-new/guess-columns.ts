/** Headers that usually hold a value, in the form of `simple`. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  mobile_number: [
    'mobilenumber',
    'mobile',
    'phonenumber',
    'phone',
    'mobileno',
    'phoneno',
    'cell',
    'cellphone',
    'contactnumber',
    'tel',
    'telephone',
    'number',
    'msisdn',
  ],
  callee_name: ['calleename', 'name', 'fullname', 'customername', 'firstname', 'contactname'],
};

const simple = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The probable column of each variable: the one of its own name, else a usual name of it. */
export function guessColumns(
  variables: readonly string[],
  header: readonly string[],
): Readonly<Record<string, string>> {
  const found = variables.flatMap((variable) => {
    for (const name of [simple(variable), ...(USUAL[variable] ?? [])]) {
      const column = header.find((each) => simple(each) === name);
      if (column !== undefined) return [[variable, column] as const];
    }
    return [];
  });
  return Object.fromEntries(found);
}
