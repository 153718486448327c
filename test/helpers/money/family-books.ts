import { decide, type AdmissionKind, type AdmissionRequest } from '../../../src/domain/admission/rules.ts';
import { transferTalkMs } from '../../../src/domain/calls/attempt/transfer-charges.ts';
import { priceOf, type Rate } from '../../../src/domain/credits/price.ts';
import type { Caps } from '../../../src/domain/workspaces/limits.ts';
import type { HoldKind } from '../../../src/store/tenants/holds.ts';
import type { HoldRequest } from '../../../src/domain/admission/holds.ts';

export const RATE: Rate = { creditsPerMinute: 1, pulseSeconds: 60 };
/** The longest call of every agent. */
export const LONGEST_MS = 240_000;

/** What happens to the money of a family; `who` is its member, `item` the step that began the call or hold. */
export type Step =
  | { readonly do: 'outbound' | 'inbound'; readonly who: number }
  | { readonly do: 'webcall'; readonly who: number; readonly byStranger: boolean }
  | {
      readonly do: 'hold';
      readonly who: number;
      readonly kind: HoldKind;
      readonly byStranger: boolean;
      readonly price: HoldRequest['price'];
    }
  | { readonly do: 'transfer' | 'refer'; readonly item: number }
  /** A leg of a transfer ends, or its REFER is refused. */
  | { readonly do: 'leg'; readonly item: number; readonly leg: number; readonly talkMs: number }
  /** A call ends after `talkMs`, a hold with this share of what it held. */
  | { readonly do: 'settle'; readonly item: number; readonly talkMs: number; readonly share: number };

export interface MemberBooks {
  credits: number;
  locked: number;
  strangerLocked: number;
  spent: number;
  strangerSpent: number;
  turns: number;
  starts: number;
  strangerStarts: number;
  live: number;
  charged: number;
}

interface Leg {
  readonly byRefer: boolean;
  reserved: number;
  hasEnded: boolean;
}
interface Item {
  readonly who: number;
  readonly byStranger: boolean;
  readonly isCall: boolean;
  reserved: number;
  readonly turns: number;
  readonly price: HoldRequest['price'] | null;
  readonly legs: Leg[];
}

/** A member of a family: the first is the parent. `ownLines` null: it shares the lines that the others leave. */
export interface Member {
  readonly credits: number;
  readonly caps: Caps;
  readonly ownLines: number | null;
}

/** A family of workspaces in memory, moved by the pure rules. */
export class FamilyBooks {
  readonly members: readonly Member[];
  readonly books: MemberBooks[];
  readonly #parentLines: number;
  readonly #items = new Map<number, Item>();

  constructor(members: readonly Member[], parentLines: number) {
    this.members = members;
    this.#parentLines = parentLines;
    this.books = members.map(({ credits }) => ({
      credits,
      locked: 0,
      strangerLocked: 0,
      spent: 0,
      strangerSpent: 0,
      turns: 0,
      starts: 0,
      strangerStarts: 0,
      live: 0,
      charged: 0,
    }));
  }

  copy(): FamilyBooks {
    const copy = new FamilyBooks(this.members, this.#parentLines);
    for (const [index, books] of this.books.entries()) Object.assign(copy.books[index] ?? {}, books);
    for (const [key, item] of this.#items) copy.#items.set(key, structuredClone(item));
    return copy;
  }

  /** The items that are not settled. */
  get open(): readonly number[] {
    return [...this.#items.keys()];
  }

  /** False: the step was refused. An end is never refused; it may have no effect. `key` names what the step begins. */
  apply(key: number, step: Step): boolean {
    switch (step.do) {
      case 'outbound':
      case 'inbound':
        return this.#begin(key, step.who, step.do, step.do === 'inbound');
      case 'webcall':
        return this.#begin(key, step.who, 'webcall', step.byStranger);
      case 'hold': {
        const { who, kind, byStranger, price } = step;
        const got = this.#admit(who, { kind, byStranger, price });
        if (got === null) return false;
        this.#items.set(key, {
          who,
          byStranger,
          isCall: false,
          reserved: got.amount,
          turns: got.turns,
          price,
          legs: [],
        });
        return true;
      }
      case 'transfer':
      case 'refer':
        return this.#transfer(step.item, step.do);
      case 'leg':
        this.#endLeg(step.item, step.leg, step.talkMs);
        break;
      case 'settle':
        this.#settle(step);
    }
    return true;
  }

  #of(who: number): MemberBooks {
    const books = this.books[who];
    if (books === undefined) throw new Error(`the family has no member ${who}`);
    return books;
  }

  /** Lines that a member may still take: its own, or those that the members with lines of their own leave. */
  #lines(who: number): number {
    const own = this.members[who]?.ownLines ?? null;
    if (own !== null) return own - this.#of(who).live;
    const given = this.members.reduce((sum, { ownLines }) => sum + (ownLines ?? 0), 0);
    const live = this.members.reduce(
      (sum, { ownLines }, index) => sum + (ownLines === null ? this.#of(index).live : 0),
      0,
    );
    return Math.max(0, this.#parentLines - given) - live;
  }

  #admit(who: number, request: AdmissionRequest): { amount: number; turns: number } | null {
    const books = this.#of(who);
    const caps = this.members[who]?.caps;
    if (caps === undefined) throw new Error(`the family has no member ${who}`);
    const decision = decide(
      {
        wallet: {
          credits: books.credits,
          lockedCredits: books.locked,
          strangerLocked: books.strangerLocked,
          unlimited: false,
        },
        caps,
        usage: books,
        lines: this.#lines(who),
        isPaused: false,
      },
      request,
    );
    if (!decision.admitted) return null;
    const { amount, turns } = decision;
    books.locked += amount;
    books.strangerLocked += request.byStranger ? amount : 0;
    books.turns += turns;
    const counts = caps.callsPerMinute !== null || caps.strangerCallsPerMinute !== null;
    if (counts && STARTS.has(request.kind)) {
      books.starts += 1;
      books.strangerStarts += request.byStranger ? 1 : 0;
    }
    return { amount, turns };
  }

  #begin(key: number, who: number, kind: AdmissionKind, byStranger: boolean): boolean {
    const got = this.#admit(who, { kind, byStranger, price: { talkMs: LONGEST_MS, rate: RATE } });
    if (got === null) return false;
    this.#of(who).live += 1;
    this.#items.set(key, {
      who,
      byStranger,
      isCall: true,
      reserved: got.amount,
      turns: 0,
      price: null,
      legs: [],
    });
    return true;
  }

  #transfer(key: number, kind: 'transfer' | 'refer'): boolean {
    const item = this.#items.get(key);
    if (item === undefined || !item.isCall) return false;
    const { who, byStranger, legs } = item;
    const facts = {
      unlimited: false,
      reserved: item.reserved,
      answeredAt: new Date(0),
      versionConfig: { callConfig: { maxCallLength: LONGEST_MS / 1000 } },
    } as unknown as Parameters<typeof transferTalkMs>[0];
    const earlier = legs as unknown as Parameters<typeof transferTalkMs>[1];
    const price =
      kind === 'refer'
        ? { amount: priceOf(LONGEST_MS, RATE) }
        : { talkMs: transferTalkMs(facts, earlier, RATE, 0), rate: RATE };
    const got = this.#admit(who, { kind, byStranger, price });
    if (got === null) return false;
    item.reserved += got.amount;
    legs.push({ byRefer: kind === 'refer', reserved: got.amount, hasEnded: kind === 'refer' });
    return true;
  }

  #endLeg(key: number, number: number, talkMs: number): void {
    const item = this.#items.get(key);
    const leg = item?.legs[number - 1];
    if (item === undefined || leg === undefined || (leg.hasEnded && !leg.byRefer)) return;
    const kept = leg.byRefer ? 0 : Math.min(leg.reserved, priceOf(talkMs, RATE));
    const freed = leg.reserved - kept;
    leg.hasEnded = true;
    leg.reserved = kept;
    item.reserved -= freed;
    this.#unlock(item, freed);
  }

  #settle({ item: key, talkMs, share }: Extract<Step, { do: 'settle' }>): void {
    const item = this.#items.get(key);
    if (item === undefined) return;
    this.#items.delete(key);
    const books = this.#of(item.who);
    let charge = 0;
    if (item.isCall) {
      const ofLegs = item.legs.reduce((sum, { reserved }) => sum + reserved, 0);
      // A leg that was not answered costs nothing.
      const legs = item.legs.reduce((sum, leg) => sum + (leg.hasEnded ? leg.reserved : 0), 0);
      charge = Math.min(item.reserved - ofLegs, priceOf(talkMs, RATE)) + legs;
      books.live -= 1;
    } else {
      const used = usedOf(item, share);
      charge = used.amount;
      books.turns -= item.turns - used.turns;
    }
    this.#unlock(item, item.reserved);
    books.credits -= charge;
    books.charged += charge;
    books.spent += charge;
    books.strangerSpent += item.byStranger ? charge : 0;
  }

  #unlock({ who, byStranger }: Item, amount: number): void {
    const books = this.#of(who);
    books.locked -= amount;
    books.strangerLocked -= byStranger ? amount : 0;
  }
}

const STARTS: ReadonlySet<AdmissionKind> = new Set(['outbound', 'inbound', 'webcall', 'transfer', 'refer']);

/** What a share of a hold's turns, or of its sum, comes to. */
export function usedOf(
  held: { readonly turns: number; readonly reserved: number; readonly price: HoldRequest['price'] | null },
  share: number,
): { amount: number; turns: number } {
  const turns = Math.floor(held.turns * share);
  const each = held.price !== null && 'each' in held.price ? held.price.each : null;
  return { amount: each === null ? Math.floor(held.reserved * share) : turns * each, turns };
}
