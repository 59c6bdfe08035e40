// Making elements. Texts go in as text nodes and attributes only, never as markup, because programs
// and their facts are other people's words.
//
//   element("p", { class: "note" }, "Tick ", strong)
//   element("button", { onclick: () => select({ tick: 3 }) }, "Go")

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  // One by one: a call takes no more than some ten thousand arguments.
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}

function element(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function shape(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

// Puts these children in the place of those that were there.
function refill(node, ...children) {
  node.replaceChildren();
  return fill(node, null, children);
}

function largest(numbers, least) {
  let found = least;
  for (const number of numbers) if (number > found) found = number;
  return found;
}

function smallest(numbers, most) {
  let found = most;
  for (const number of numbers) if (number < found) found = number;
  return found;
}

function byId(id) {
  return document.getElementById(id);
}

// A heading with whatever stands to its right.
function sectionHead(id, title, ...rest) {
  return element(
    "div",
    { class: "card-head" },
    element("h2", { id: `${id}-title`, tabindex: "-1" }, title),
    ...rest,
  );
}

function plural(count, noun, nouns = `${noun}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : nouns}`;
}

function tickRange(first, last) {
  return first === last ? `tick ${first}` : `ticks ${first}–${last}`;
}

function shorten(text, most) {
  // Of a long text, the beginning will do: a character is one or two units.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

function joinWords(words) {
  return words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

// Only one of the elements can be reached with Tab; the arrow keys go from one to the next.
// `next(current, key)` answers with the element to go to, or nothing.
function rove(container, elements, next) {
  elements.forEach((one, i) => one.setAttribute("tabindex", i === 0 ? "0" : "-1"));
  container.addEventListener("keydown", (event) => {
    const current = event.target.closest("[tabindex]");
    if (!elements.includes(current)) return;
    const target = next(current, event.key);
    if (!target) return;
    event.preventDefault();
    goTo(elements, target);
  });
  container.addEventListener("focusin", (event) => {
    const current = event.target.closest("[tabindex]");
    if (elements.includes(current)) holdTabStop(elements, current);
  });
}

function holdTabStop(elements, current) {
  for (const one of elements) one.setAttribute("tabindex", one === current ? "0" : "-1");
}

function goTo(elements, target) {
  holdTabStop(elements, target);
  target.focus();
}

function alongList(elements) {
  const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  return (current, key) => {
    if (key === "Home") return elements[0];
    if (key === "End") return elements[elements.length - 1];
    return key in steps ? elements[elements.indexOf(current) + steps[key]] : undefined;
  };
}
