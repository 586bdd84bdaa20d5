/**
 * Draws, and where that took away the very button that had the focus (a reset resets itself away) gives it to the control nearest
 * to where the button stood: a person at the keyboard must not be thrown to the top of the document.
 */
export function keepingFocus(draw: () => void): void {
  const places = [...ancestorsOf(document.activeElement)];
  draw();
  if (places[0]?.isConnected !== false) return;
  places
    .filter((place) => place.isConnected)
    .map((place) => place.querySelector<HTMLElement>(controls))
    .find((control) => control !== null)
    ?.focus();
}

const controls = 'button, input:enabled, select, summary';

function* ancestorsOf(element: Element | null): Generator<Element> {
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) yield at;
}
