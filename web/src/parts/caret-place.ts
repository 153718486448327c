/** What decides where a text breaks its lines. */
const COPIED = ['font', 'letter-spacing', 'line-height', 'padding', 'tab-size', 'text-indent', 'box-sizing'];

/** Where the line below a character of a text area begins, in pixels of the box that the area is placed in. */
export function caretPlace(area: HTMLTextAreaElement, index: number): { top: number; left: number } {
  const look = getComputedStyle(area);
  const copy = document.createElement('div');
  for (const name of COPIED) copy.style.setProperty(name, look.getPropertyValue(name));
  copy.style.position = 'absolute';
  copy.style.visibility = 'hidden';
  copy.style.whiteSpace = 'pre-wrap';
  copy.style.overflowWrap = 'break-word';
  // Without the scroll bar.
  copy.style.width = `${area.clientWidth}px`;
  const mark = document.createElement('span');
  mark.textContent = '\u200B';
  copy.append(area.value.slice(0, index), mark);
  document.body.append(copy);
  const top = mark.offsetTop + mark.offsetHeight - area.scrollTop;
  const left = mark.offsetLeft;
  copy.remove();
  return {
    top: area.offsetTop + area.clientTop + Math.min(Math.max(top, 0), area.clientHeight),
    left: area.offsetLeft + area.clientLeft + left,
  };
}
