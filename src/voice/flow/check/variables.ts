import {
  captureOf,
  HIDDEN_KINDS,
  nodesOf,
  typeOfCapture,
  type CollectNode,
  type Flow,
  type FlowVariable,
} from '../document.ts';
import { isReserved } from '../expression.ts';
import type { Report } from '../fault.ts';

/** Faults of the variables, and of the nodes that capture a value into one. */
export function checkVariables(flow: Flow, report: Report): void {
  const seen = new Set<string>();
  for (const [index, variable] of (flow.variables ?? []).entries()) {
    const field = `variables[${index}]`;
    const { name } = variable;
    if (seen.has(name))
      report.add('duplicate_variable', `${field}.name`, `variable ${name} is defined twice`);
    if (isReserved(name))
      report.add('reserved_name', `${field}.name`, `${name} is a word of expressions and names no variable`);
    seen.add(name);
    checkValues(variable, field, report);
  }
  const names = new Set<string>();
  for (const node of nodesOf(flow)) {
    if (names.has(node.id)) report.node(node, 'duplicate_node', 'id', `node ${node.id} is defined twice`);
    names.add(node.id);
    if (node.type === 'collect') checkCollect(node, flow, report);
    if (node.type === 'choose') {
      const words = node.answers.flatMap(({ name, phrases = [] }) =>
        [name, ...phrases].map((word) => word.trim().toLowerCase()),
      );
      const again = words.find((word, at) => words.indexOf(word) !== at);
      if (again !== undefined)
        report.node(
          node,
          'duplicate_answer',
          'answers',
          `node ${node.id}: ${JSON.stringify(again)} stands for two answers`,
        );
    }
  }
}

function checkValues({ name, type, values, value }: FlowVariable, field: string, report: Report): void {
  if (type === 'choice' && values === undefined)
    report.add('missing_values', `${field}.values`, `variable ${name} is a choice and needs values`);
  if (type !== 'choice' && values !== undefined)
    report.add('wrong_value', `${field}.values`, `variable ${name} is no choice, so it has no values`);
  const lower = (values ?? []).map((each) => each.trim().toLowerCase());
  if (new Set(lower).size !== lower.length)
    report.add('wrong_value', `${field}.values`, `variable ${name} names a value twice`);
  if (value !== undefined && !fits(value, type, values))
    report.add('wrong_value', `${field}.value`, `variable ${name}: the value must be ${WANTED[type]}`);
}

const WANTED = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  choice: 'one of values',
  date: 'a date YYYY-MM-DD',
  time: 'a time HH:MM',
  date_time: 'a day and time YYYY-MM-DDTHH:MM',
} as const;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** Whether the text is a day of the calendar, as YYYY-MM-DD. */
const isDate = (text: string): boolean => {
  const day = DATE.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Whether a value is one of a variable's type. */
function fits(value: unknown, type: FlowVariable['type'], values: readonly string[] = []): boolean {
  if (type === 'number') return typeof value === 'number';
  if (type === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'string') return false;
  if (type === 'choice') return values.includes(value);
  if (type === 'date') return isDate(value);
  if (type === 'date_time')
    return value[10] === 'T' && isDate(value.slice(0, 10)) && TIME.test(value.slice(11));
  return type !== 'time' || TIME.test(value);
}

function checkCollect(node: CollectNode, flow: Flow, report: Report): void {
  const variable = (flow.variables ?? []).find(({ name }) => name === node.variable);
  if (variable === undefined)
    return report.node(
      node,
      'unknown_variable',
      'variable',
      `node ${node.id}: ${node.variable} is no variable of the flow`,
    );
  const kind = captureOf(node, variable);
  const wanted = typeOfCapture(kind);
  if (wanted !== variable.type)
    report.node(
      node,
      'wrong_variable',
      'kind',
      `node ${node.id}: ${kind} fills a variable of type ${wanted}, and ${variable.name} is of type ${variable.type}`,
    );
  if (variable.sensitive === true && !HIDDEN_KINDS.includes(kind))
    report.node(
      node,
      'wrong_variable',
      'kind',
      `node ${node.id}: ${variable.name} is sensitive, so it is entered by keys: its kind must be ${HIDDEN_KINDS.join(', ')}`,
    );
  if (node.digits !== undefined && kind !== 'digits')
    report.node(node, 'bad_field', 'digits', `node ${node.id}: digits belongs to the kind digits alone`);
}
