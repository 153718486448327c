/** One kind of value of a chart, with the class that fills it and the class of its square in the legend. */
export interface Series {
  readonly name: string;
  readonly fill: string;
  readonly square: string;
}
/** A kind of value that a line follows, told apart by its colour and by its dashes. */
export interface LineSeries extends Series {
  readonly stroke: string;
  readonly dash?: string;
  /** One value all the way: a line across the plot without dots. */
  readonly isLimit?: boolean;
  /** Without dots, except for a single value. */
  readonly isBare?: boolean;
}

export const ANSWERED: Series = { name: 'Answered', fill: 'fill-assistant', square: 'bg-assistant' };
export const UNANSWERED: Series = { name: 'Not answered', fill: 'fill-quiet', square: 'bg-quiet' };
