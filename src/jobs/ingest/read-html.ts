import { load } from 'cheerio';
import type { Block } from '../../domain/knowledge/blocks.ts';

type Node = ReturnType<ReturnType<typeof load>['root']>[0]['children'][number];

const IGNORED = 'script,style,noscript,template,svg,math,iframe,object,canvas,head,form,button,select,dialog';
const BOILERPLATE =
  'nav,aside,[role=navigation],[role=banner],[role=contentinfo],[aria-hidden=true],[hidden]';
const BLOCKS = new Set(
  'address article blockquote body caption dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const MAX_DEPTH = 400;
const ELEMENT = 1;
const TEXT = 3;

/** Headings and paragraphs of a page's main content, without navigation and other boilerplate. */
export function readHtml(source: string): Block[] {
  const $ = load(source);
  const title = $('title').first().text().trim();
  $(IGNORED).remove();
  $(BOILERPLATE).remove();
  const main = $('main, article, [role=main]').first();
  const root = main.length > 0 && main.text().trim().length > 200 ? main : $('body');
  $('body > header, body > footer').remove();
  const blocks: Block[] = [];
  let open = '';
  const close = (): void => {
    const text = open
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter((line) => line !== '')
      .join('\n');
    if (text !== '') blocks.push({ type: 'text', text });
    open = '';
  };
  const walk = (node: Node, depth: number): void => {
    if (node.nodeType === TEXT && 'data' in node) {
      open += node.data.replace(/\s+/g, ' ');
      return;
    }
    if (node.nodeType !== ELEMENT || !('children' in node) || !('name' in node) || depth > MAX_DEPTH) return;
    const { name } = node;
    if (/^h[1-6]$/.test(name)) {
      close();
      blocks.push({ type: 'heading', level: Number(name[1]), text: $(node).text() });
    } else if (name === 'tr') {
      close();
      open = $(node)
        .children()
        .toArray()
        .map((cell) => $(cell).text().replace(/\s+/g, ' ').trim())
        .filter((cell) => cell !== '')
        .join('; ');
      close();
    } else if (name === 'br') open += '\n';
    else {
      const isBlock = BLOCKS.has(name);
      if (isBlock) close();
      for (const child of node.children) walk(child, depth + 1);
      if (isBlock) close();
    }
  };
  for (const node of root.toArray()) walk(node, 0);
  close();
  const hasHeading = blocks.some((block) => block.type === 'heading');
  return hasHeading || title === '' ? blocks : [{ type: 'heading', level: 1, text: title }, ...blocks];
}
