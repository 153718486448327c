import { parsePageMessage } from '../../../src/chat/web/messages.ts';
import { MOST_TEXT_BYTES, parseClientMessage } from '../../../src/telephony/web/messages.ts';
import { mutateBytes } from '../mutate.ts';
import { must, type Target } from '../target.ts';

const CORPUS = [
  '{"type":"text","text":"Can I come on Tuesday?"}',
  '{"type":"text","text":"\\ud83d\\ude00 \\ud800 \\u0000"}',
  '{"type":"dtmf","digit":"5"}',
  '{"type":"hangup"}',
  '{"type":"text","text":""}',
  '[{"type":"hangup"}]',
  'null',
].map((text) => Buffer.from(text));

const message: Target = {
  name: 'web-call-message',
  inCi: 10_000,
  make: (dice) => mutateBytes(dice.pick(CORPUS), CORPUS, dice),
  run(input) {
    const read = parseClientMessage(input);
    if (read === null) return;
    must(input.length <= MOST_TEXT_BYTES, 'a message beyond the limit is read');
    if (read.type === 'dtmf') must(/^[0-9*#A-D]$/.test(read.digit), `the key ${read.digit}`);
    if (read.type !== 'text') return;
    must(read.text !== '' && read.text.length <= 2_000, `${read.text.length} typed characters`);
    must(read.text.isWellFormed() && !/\p{Cc}/u.test(read.text), 'text that cannot be stored');
  },
};

const CHAT_CORPUS = [
  '{"type":"text","id":"a1-b2-c3","text":"Can I come on Tuesday?"}',
  '{"type":"text","id":"x","text":"\\ud83d\\ude00 \\ud800 \\u0000\\n\\u0085"}',
  '{"type":"text","id":"","text":"no id"}',
  '{"type":"ready"}',
  '{"type":"hangup"}',
  '[]',
].map((text) => Buffer.from(text));

const pageMessage: Target = {
  name: 'web-chat-message',
  inCi: 10_000,
  make: (dice) => mutateBytes(dice.pick(CHAT_CORPUS), CHAT_CORPUS, dice),
  run(input) {
    const read = parsePageMessage(input);
    if (read?.type !== 'text') return;
    must(/^[\w-]{1,40}$/.test(read.id), `the id ${read.id}`);
    must(read.text !== '' && read.text.length <= 2_000, `${read.text.length} typed characters`);
    must(read.text.isWellFormed() && !/(?!\n)\p{Cc}/u.test(read.text), 'text that cannot be stored');
  },
};

export const WEB_CALL_TARGETS: readonly Target[] = [message, pageMessage];
