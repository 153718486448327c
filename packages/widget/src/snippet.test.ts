import { describe, expect, it } from 'vitest';
import { USUAL_LOOK, widgetSnippet } from './snippet.ts';

const WIDGET = { version: 'abc', script: '/widget/abc/widget.js', integrity: 'sha384-x' };
const AGENT = { id: 'a1', webcall_public_key: 'wk_1' };
const SCRIPT =
  '<script src="https://voice.example.com/widget/abc/widget.js" integrity="sha384-x" crossorigin="anonymous"></script>';
const snippet = (look: object): string[] =>
  widgetSnippet('https://voice.example.com', WIDGET, { ...USUAL_LOOK, ...look }, AGENT).split('\n');

describe('the snippet of the widget', () => {
  it('names only what differs from the usual look', () => {
    expect(snippet({})).toEqual([
      SCRIPT,
      '<callwright-call agent="a1" public-key="wk_1" position="bottom-right"></callwright-call>',
    ]);
  });

  it('has the words, the mode and the variables of a look', () => {
    expect(
      snippet({ position: 'in-page', mode: 'text', label: 'Ask us', accent: '#8a5000', radius: '0' }),
    ).toEqual([
      SCRIPT,
      '<style>callwright-call { --callwright-accent: #8a5000; --callwright-radius: 0px }</style>',
      '<callwright-call agent="a1" public-key="wk_1" mode="text" label="Ask us"></callwright-call>',
    ]);
  });

  it('escapes words that would end an attribute', () => {
    expect(snippet({ heading: '"><script>alert(1)</script>' })[1]).toContain(
      'heading="&quot;>&lt;script>alert(1)&lt;/script>"',
    );
  });
});
