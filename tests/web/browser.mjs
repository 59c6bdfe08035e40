// What the tests of the page share: a browser, pages that must not complain, and questions to a page.

import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const scratch = resolve(process.argv[2] ?? "build/dev/web_tests");
const { chromium } = createRequire(join(scratch, "package.json"))("playwright-core");

export const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox"], // the pages are our own, and containers often have no sandbox
});

export function addressOf(name, hash = "") {
  return pathToFileURL(join(scratch, "pages", `${name}.html`)).href + hash;
}

// Opens a page, lets `act` work with it, and fails if the page logged an error, threw, or asked for
// anything but itself.
export async function withPage(name, options, act) {
  const { hash = "", width = 1400, height = 1000, ...rest } = options;
  const context = await browser.newContext({ viewport: { width, height }, ...rest });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() !== "log") complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.stack}`));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  try {
    await page.goto(addressOf(name, hash));
    await act(page);
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
  } finally {
    await context.close();
  }
}

// Writes a page whose data is that of another one, changed.
export async function changedPage(name, from, change) {
  const whole = await readFile(join(scratch, "pages", `${from}.html`), "utf8");
  const [before, data, after] = whole.split(/(?<=id="data">)([^]*?)(?=<\/script>)/);
  const changed = JSON.stringify(change(JSON.parse(data))).replaceAll("</", "<\\/");
  await writeFile(join(scratch, "pages", `${name}.html`), before + changed + after);
}

// So many pixels of the page are beyond the right edge.
export function overflow(page) {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

export async function texts(page, selector) {
  return page.locator(selector).allTextContents();
}

// Runs in the page: every visible text whose contrast to its ground is too low, as [text, contrast].
export function poorContrasts(least) {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const over = (top, ground) => [0, 1, 2].map((i) => top[i] * top[3] + ground[i] * (1 - top[3]));
  const light = ([r, g, b]) => {
    const part = (value) => {
      const v = value / 255;
      return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const contrast = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const groundOf = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const box =
        at.namespaceURI.endsWith("svg") &&
        at.tagName === "g" &&
        at.querySelector(":scope > rect:not(.stacked)");
      if (box && node.tagName === "text") {
        const paint = getComputedStyle(box);
        const colour = rgba(paint.fill);
        layers.push([...colour.slice(0, 3), colour[3] * Number(paint.fillOpacity)]);
      }
      layers.push(rgba(style.backgroundColor));
    }
    return layers.reverse().reduce((ground, layer) => over(layer, ground), [255, 255, 255]);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || /^(SCRIPT|STYLE|NOSCRIPT|TITLE|OPTION)$/i.test(node.tagName)) continue;
    if (!node.checkVisibility() || node.closest("[disabled], .unseen, .skip")) continue;
    const style = getComputedStyle(node);
    const ground = groundOf(node);
    const ink = rgba(node.namespaceURI.endsWith("svg") ? style.fill : style.color);
    const ratio = contrast(over(ink, ground), ground);
    if (ratio < least)
      found.push([
        text.data.trim().slice(0, 40),
        node.getAttribute("class") ?? node.tagName,
        ratio,
      ]);
  }
  return found;
}
