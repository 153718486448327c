import type { TransportChoice } from '@callwright/sip';

/** An address of a carrier that takes requests of a trunk. */
export interface Gateway {
  /** `sip:host[:port]`. */
  readonly uri: string;
  /** Absent: that of the trunk. */
  readonly transport?: TransportChoice;
  /** Gateways with the lowest number are used first; the others when none of those answers. */
  readonly priority: number;
  /** Share of the calls among gateways of one priority. */
  readonly weight: number;
}

type Weighed = Pick<Gateway, 'priority' | 'weight'>;

/**
 * The order in which one call tries gateways: by priority, and at random by weight within one (RFC 2782). `random` is
 * in [0, 1). Among gateways of weight 0 alone, each is as likely.
 */
export function inOrderOfWeight<T extends Weighed>(gateways: readonly T[], random: () => number): T[] {
  if (gateways.length < 2) return [...gateways];
  const priorities = [...new Set(gateways.map(({ priority }) => priority))].toSorted((a, b) => a - b);
  return priorities.flatMap((priority) =>
    drawn(
      gateways.filter((gateway) => gateway.priority === priority),
      random,
    ),
  );
}

function drawn<T extends Weighed>(gateways: readonly T[], random: () => number): T[] {
  const left = [...gateways];
  const order: T[] = [];
  while (left.length > 0) {
    const total = left.reduce((sum, { weight }) => sum + weight, 0);
    let rest = random() * (total === 0 ? left.length : total);
    const found = left.findIndex(({ weight }) => {
      rest -= total === 0 ? 1 : weight;
      return rest < 0;
    });
    order.push(...left.splice(Math.max(0, found), 1));
  }
  return order;
}
