// The report page in a browser. Each test opens a page of make_page.py and fails if it complains.
//
// usage: page_test.mjs FOLDER     with node_modules and pages, as page_test.sh makes it

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";

import {
  addressOf,
  browser,
  changedPage,
  overflow,
  poorContrasts,
  scratch,
  texts,
  withPage,
} from "./browser.mjs";

const PAGES = ["real", "promises", "kafka", "two_phase", "robust", "many", "long", "hostile", "bare"];
const GENEROUS = 3; // seconds: against hanging, not against a busy machine

after(() => browser.close());

const tickOf = (page) => page.locator("#tick").inputValue();
const title = (page) => page.locator("#run-title").textContent();

for (const name of PAGES) {
  test(`${name}: opens without complaint or network`, () =>
    withPage(name, {}, async (page) => {
      assert.match(await page.title(), /^(broken|robust|unknown): .* – Clew$/);
      assert.ok((await page.locator("main section").count()) >= 7);
    }));
}

test("opens on the first counterexample, else on the run without faults", async () => {
  await withPage("kafka", {}, async (page) => assert.equal(await title(page), "Counterexample 1"));
  await withPage("robust", {}, async (page) => assert.equal(await title(page), "Without faults"));
});

test("the verdict says within which bounds", () =>
  withPage("kafka", {}, async (page) => {
    assert.match(await page.locator("h1").textContent(), /✗ broken within EOT 6, EFF 4, 1 crash/);
    const bounds = (await texts(page, ".bounds div")).join("; ");
    assert.match(bounds, /EOT\)6; .*EFF\)4; crashes1; crash modelsilent; .*combinations12,345,678/);
    await page.locator(".sweep summary").click();
    assert.equal(await page.locator(".sweep tbody tr").count(), 5);
  }));

test("all promises are listed, and one is chosen", () =>
  withPage("promises", {}, async (page) => {
    const chosen = () => page.locator(".promises [aria-current=true] .name").textContent();
    assert.deepEqual(await texts(page, ".promises li"), [
      "strange ✓ robust",
      "arrives ✗ broken",
      "agreed ✓ robust",
    ]);
    // The worst verdict comes first.
    assert.equal(await chosen(), "arrives");
    assert.match(await page.locator("h1").textContent(), /^arrives: ✗ broken within EOT 4/);
    assert.equal(await title(page), "Counterexample 1");
    await page.locator(".promises a", { hasText: "agreed" }).click();
    await page.waitForFunction(() => document.querySelector("h1").textContent.startsWith("agreed"));
    assert.equal(await chosen(), "agreed");
    assert.equal(await title(page), "Without faults");
    assert.match(await page.title(), /^robust: agreed, /);
    assert.match(await page.locator("#why").textContent(), /agreed\.pre/);
    // The address remembers it, whatever else is chosen.
    await page.locator("#tick").fill("2");
    await page.waitForFunction(() => /tick=2.*promise=agreed/.test(location.hash));
    await page.reload();
    assert.equal(await chosen(), "agreed");
    assert.equal(await tickOf(page), "2");
  }));

test("a promise that there is none of is no reason to show nothing", () =>
  withPage("promises", { hash: "#promise=nothing" }, async (page) =>
    assert.match(await page.locator("h1").textContent(), /^arrives/),
  ));

test("the explanation is shown whole, and leads to ticks and lines", () =>
  withPage("kafka", {}, async (page) => {
    assert.equal(await page.locator(".summary p").count(), 3);
    assert.deepEqual(await texts(page, ".consequences .tick-button"), [
      "tick 2",
      "tick 3",
      "tick 4",
      "tick 5",
    ]);
    assert.equal(await page.locator(".supports > li").count(), 3);
    assert.match((await texts(page, ".cut-by"))[2], /cut by crash a@5/);
    await page.locator(".consequences .tick-button").nth(1).click();
    assert.equal(await tickOf(page), "3");
    assert.equal(await page.locator(".consequences [aria-current=true]").count(), 1);
    await page.locator(".hints .link").first().click();
    assert.equal(await page.evaluate(() => document.activeElement.id), "line-0-20");
  }));

test("a click chooses a run, and everything follows", () =>
  withPage("kafka", {}, async (page) => {
    await page.locator(".run-row", { hasText: "Run 3" }).click();
    assert.equal(await title(page), "Run 3");
    assert.equal(await page.locator("#diagram .crash").count(), 1);
    assert.equal(await page.locator("#diagram .arrow.lost").count(), 2);
    await page.waitForFunction(() => location.hash.startsWith("#run=3&tick=6"));
    await page.locator(".run-row", { hasText: "Without faults" }).click();
    assert.equal(await page.locator("#diagram .arrow.lost").count(), 0);
    assert.match(await page.locator("#compare").textContent(), /Choose another one/);
  }));

test("one slider moves diagrams, lineage, tables and the line of events", () =>
  withPage("kafka", {}, async (page) => {
    await page.locator("#tick").fill("3");
    assert.equal(await page.locator("#diagram .tick-row.now").getAttribute("data-tick"), "3");
    assert.equal(await page.locator("#compare .tick-row.now").count(), 2);
    assert.equal(await page.locator("#lineage .band.now text").textContent(), "tick 3");
    const later = await page
      .locator("#lineage .node.later")
      .evaluateAll((nodes) => nodes.map((n) => Number(n.dataset.first)));
    assert.ok(later.length > 5 && later.every((tick) => tick > 3));
    assert.match(await page.locator("#facts caption").textContent(), /tick 3/);
    assert.match(await page.locator("#facts").textContent(), /gone\("Z", "b"\)/);
    assert.equal(await page.locator(".tick-events").textContent(), "lost: a→b, a→c");
    await page.getByRole("button", { name: "One tick on" }).click();
    assert.equal(await tickOf(page), "4");
    await page
      .locator("#diagram .tick-row rect")
      .nth(4)
      .click({ position: { x: 12, y: 12 } });
    assert.equal(await tickOf(page), "5");
    assert.equal(await page.locator(".tick-events").textContent(), "a crashes");
  }));

test("tables mark what is new and what has gone", () =>
  withPage("kafka", { hash: "#run=7&tick=3" }, async (page) => {
    const cell = page.locator("#facts td[data-node=Z]");
    assert.ok((await cell.locator("li.new").allTextContents()).includes('+new: gone("Z", "b")'));
    assert.ok(
      (await cell.locator("li.gone").allTextContents()).includes('−gone: session("Z", "b")'),
    );
    await page.locator("#fact-search").fill("gone(");
    assert.equal(await page.locator("#facts li").count(), 2);
    await page.locator("#fact-search").fill("");
    await page.locator("#fact-mode").selectOption("all");
    assert.equal(await page.locator("#facts tbody tr").count(), 6);
    assert.equal(await page.locator("#facts tbody tr.now th").textContent(), "3");
  }));

test("search and filters", () =>
  withPage("two_phase", {}, async (page) => {
    const count = () => page.locator("#run-count").textContent();
    assert.equal(await count(), "17 runs");
    await page.locator("#run-search").fill("crash C@");
    assert.equal(await count(), "4 of 17 runs");
    await page.locator("#run-outcome").selectOption("violated");
    assert.equal(await count(), "3 of 17 runs");
    await page.locator("#run-search").fill("nothing has this");
    assert.equal(await count(), "0 of 17 runs");
    assert.equal(await page.locator(".run-row").count(), 0);
    await page.locator("#run-search").fill("");
    await page.locator("#run-outcome").selectOption("");
    await page.getByLabel("Counterexamples only").check();
    assert.deepEqual(await texts(page, ".run-name"), [
      "Counterexample 1",
      "Counterexample 2",
      "Counterexample 3",
    ]);
  }));

test("the diagram tells what a message was, on hover and after a click", () =>
  withPage("kafka", {}, async (page) => {
    const lost = page.locator("#diagram .arrow.lost").first();
    await lost.locator(".cross").hover();
    assert.match(
      await page.locator("#popover").textContent(),
      /b → Z, sent at tick 1.*lost: omitted.*heartbeat\("Z", "b"\)/,
    );
    await page.mouse.move(5, 5);
    assert.ok(await page.locator("#popover").isHidden());
    await page.locator("#diagram .arrow:not(.lost) .label", { hasText: "write" }).click();
    await page.mouse.move(5, 5);
    assert.ok(await page.locator("#popover").isVisible());
    await page.locator("#popover .fact").click();
    await page.waitForFunction(() =>
      decodeURIComponent(location.hash).includes('goal=write("a",+"C",+"w")@3'),
    );
    assert.match(
      await page.locator(".lineage-note").textContent(),
      /write\("a", "C", "w"\)@3 holds/,
    );
    assert.ok(await page.locator("#popover").isHidden());
  }));

test("the lineage marks what was cut, messages and absences, and folds", () =>
  withPage("kafka", {}, async (page) => {
    const nodes = page.locator("#lineage .node");
    assert.match(
      await page.locator(".lineage-note").textContent(),
      /post\("C", "w"\)@6 is missing in this run/,
    );
    const cut = await texts(page, "#lineage .node.goal.cut > text:first-of-type");
    assert.ok(cut.includes('✂ copy("b", "a", "w")'));
    assert.ok(
      (await texts(page, "#lineage .node.rule.cut")).some((text) =>
        /a → b · line 59 · omitted/.test(text),
      ),
    );
    assert.ok((await page.locator("#lineage .edge.message.cut").count()) >= 2);
    assert.match((await texts(page, "#lineage .node.absence.cut")).join(), /no crash\(_, "a", _\)/);
    assert.ok((await texts(page, "#lineage .second")).includes("persists, ticks 4–6"));
    const before = await nodes.count();
    const leaf = page.locator("#lineage .node.goal", { hasText: 'request("a", "C", "w")' });
    await leaf.click();
    assert.equal(await leaf.getAttribute("aria-expanded"), "false");
    assert.ok((await nodes.count()) < before);
    await leaf.click();
    assert.equal(await nodes.count(), before);
    await page.getByRole("button", { name: "Open all nodes" }).click();
    const all = await nodes.count();
    assert.ok(all > before);
    await page.getByLabel("fold persistence").uncheck();
    await page.getByRole("button", { name: "Open all nodes" }).click();
    assert.ok((await nodes.count()) > all);
    await page.getByLabel("what the faults cut").uncheck();
    assert.equal(await nodes.count(), 0);
  }));

test("an absence that only this run has leads to what is missing", () =>
  withPage(
    "kafka",
    { hash: `#run=7&tick=6&goal=${encodeURIComponent('pre("C", "w")@6')}` },
    async (page) => {
      await page.locator("#lineage .node.absence.new", { hasText: 'no lacking("a", _, "w")' }).click();
      assert.match(
        await page.locator(".lineage-note").textContent(),
        /^lacking\("a", "[bc]", "w"\)@\d is missing in this run/,
      );
    },
  ));

test("a broken absence leads to the fact that broke it", () =>
  withPage("kafka", {}, async (page) => {
    await page.locator("#lineage .node.absence.cut", { hasText: "crash" }).click();
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes("goal=crash("));
    assert.match(await page.locator(".lineage-note").textContent(), /^crash.* holds in this run/);
  }));

test("the lineage of any tuple can be chosen", () =>
  withPage("kafka", {}, async (page) => {
    await page.locator("#lineage-goal").selectOption({ label: 'pre("C", "w")@6' });
    assert.match(await page.locator(".lineage-note").textContent(), /pre\("C", "w"\)@6 holds/);
    assert.ok((await page.locator("#lineage .node.new").count()) > 3);
    await page.locator("#facts .fact", { hasText: 'log("a", "w")' }).click();
    assert.match(
      await page.locator("#lineage-goal option:checked").textContent(),
      /log\("a", "w"\)@6/,
    );
  }));

test("the lineage zooms with buttons, wheel and keys, and pans", () =>
  withPage("kafka", {}, async (page) => {
    const picture = page.locator("svg.lineage");
    const scale = async () => Number(await picture.getAttribute("data-scale"));
    const start = await scale();
    await page.getByRole("button", { name: "Zoom in" }).click();
    assert.ok((await scale()) > start);
    await page.getByRole("button", { name: "Fit into view" }).click();
    assert.equal(await scale(), start);
    await picture.scrollIntoViewIfNeeded();
    await picture.hover({ position: { x: 30, y: 60 } });
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, 200);
    await page.keyboard.up("Control");
    await page.waitForFunction(
      (old) => Number(document.querySelector("svg.lineage").dataset.scale) < old,
      start,
    );
    await page.locator("#lineage .node").first().focus();
    await page.keyboard.press("0");
    assert.equal(await scale(), start);
    await page.keyboard.press("-");
    assert.ok((await scale()) < start);
    const before = await picture.getAttribute("viewBox");
    const box = await picture.boundingBox();
    await page.mouse.move(box.x + 30, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 130, box.y + 90, { steps: 4 });
    await page.mouse.up();
    assert.notEqual(await picture.getAttribute("viewBox"), before);
    await page.locator("#lineage .node[tabindex='0']").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#lineage .node").count(), 1, "Enter folds after panning, too");
  }));

test("the comparison shows both runs, the difference and where it begins", () =>
  withPage("kafka", {}, async (page) => {
    assert.equal(await page.locator("#compare svg.diagram").count(), 2);
    assert.match(
      await page.locator("#compare .parting").textContent(),
      /First difference, tick 1 b → Z: heartbeat\("Z", "b"\)/,
    );
    const row = page.locator("#compare tbody tr", { has: page.locator("th", { hasText: /^3/ }) });
    assert.match(
      await row.locator("td").nth(0).textContent(),
      /a → b: copy\("b", "a", "w"\), delivered/,
    );
    assert.match(await row.locator("td").nth(1).textContent(), /lost: omitted.*gone\("Z", "b"\)/);
    assert.ok((await page.locator("#compare .arrow.marked").count()) > 10);
    assert.match((await texts(page, "#compare li.less")).join("\n"), /log\("b", "w"\) ticks 4–6/);
  }));

test("the program marks rules that fired and rules that were needed", () =>
  withPage("kafka", {}, async (page) => {
    const line = (number) => page.locator(`#line-0-${number}`);
    assert.match(await line(20).getAttribute("class"), /fired/);
    assert.match(await line(74).getAttribute("class"), /needed/);
    assert.match(await line(77).getAttribute("class"), /needed/);
    assert.match(await line(74).locator(".mark").textContent(), /✂3/);
    assert.doesNotMatch(await line(18).getAttribute("class"), /fired|needed/);
    await page.locator(".run-row", { hasText: "Without faults" }).click();
    assert.equal(await page.locator("#program .line.needed").count(), 0);
    assert.match(await line(74).getAttribute("class"), /fired/);
  }));

test("keyboard only", () =>
  withPage("kafka", {}, async (page) => {
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const active = (ask) => page.evaluate(`(${ask})(document.activeElement)`);
    await press("Tab");
    assert.equal(await active("(one) => one.id"), "skip");
    await press("Enter");
    assert.equal(await active("(one) => one.id"), "run");
    await page.locator(".run-list").focus();
    await press("Home");
    assert.equal(await title(page), "Without faults");
    await press("ArrowDown", "ArrowDown");
    assert.equal(await title(page), "Run 2");
    assert.equal(
      await page.locator(".run-list").getAttribute("aria-activedescendant"),
      "run-row-2",
    );
    await press("End");
    assert.equal(await title(page), "Counterexample 1");
    await page.locator("#tick").focus();
    await press("ArrowLeft", "ArrowLeft");
    assert.equal(await tickOf(page), "4");
    await page.locator("#diagram [tabindex='0'][role=button]").focus();
    await press("ArrowDown", "ArrowDown", "Enter");
    assert.ok(await page.locator("#popover[role=dialog]").isVisible());
    await press("Escape");
    assert.ok(await page.locator("#popover").isHidden());
    assert.match(await active("(one) => one.getAttribute('class')"), /arrow/);
    await page.locator("#lineage .node[tabindex='0']").focus();
    assert.match(
      await active("(one) => one.getAttribute('aria-label')"),
      /^post\("C", "w"\), tick 6, cut by the faults/,
    );
    await press("ArrowUp");
    assert.match(await active("(one) => one.getAttribute('aria-label')"), /^rule, line 74/);
    await press("ArrowDown", "Enter");
    assert.equal(await page.locator("#lineage .node").count(), 1);
    await press("Enter");
    assert.ok((await page.locator("#lineage .node").count()) > 10);
    assert.match(await active("(one) => one.getAttribute('aria-label')"), /^post/);
  }));

test("Tab reaches every part, and what has the focus shows it", () =>
  withPage("kafka", { reducedMotion: "reduce" }, async (page) => {
    const reached = new Set();
    for (let i = 0; i < 200; i += 1) {
      await page.keyboard.press("Tab");
      const [part, visible, name] = await page.evaluate(() => {
        const one = document.activeElement;
        const style = getComputedStyle(one);
        const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
        const bold = [...one.children].some(
          (part) => parseFloat(getComputedStyle(part).strokeWidth) >= 3,
        );
        const home = one.closest("section, aside, header, #timeline");
        return [home?.id, outlined || bold || one === document.body, one.outerHTML.slice(0, 120)];
      });
      assert.ok(visible, `no visible focus: ${name}`);
      reached.add(part);
      if (name.startsWith("<body")) break;
    }
    for (const part of [
      "verdict",
      "runs",
      "timeline",
      "why",
      "diagram",
      "lineage",
      "facts",
      "compare",
      "program",
    ]) {
      assert.ok(reached.has(part), `${part} is not reached: ${[...reached]}`);
    }
  }));

test("dark and light: the system's wish, then the button's", () =>
  withPage("kafka", { colorScheme: "dark" }, async (page) => {
    const ground = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await ground();
    await page.getByRole("button", { name: "Switch to light colours" }).click();
    const light = await ground();
    assert.notEqual(light, dark);
    await page.getByRole("button", { name: "Switch to dark colours" }).click();
    assert.equal(await ground(), dark);
    await page.emulateMedia({ colorScheme: "light" });
    assert.equal(await ground(), dark, "the reader's choice stays");
  }));

test("a page of clew check: verdict, why, diagram, lineage, comparison, program", () =>
  withPage("real", {}, async (page) => {
    assert.match(await page.locator("h1").textContent(), /broken within EOT 6, EFF 4, 1 crash/);
    assert.equal(await title(page), "Counterexample 1");
    assert.ok((await page.locator(".summary p").count()) > 0);
    assert.ok((await page.locator(".consequences li").count()) > 2);
    assert.equal(await page.locator("#diagram .crash").count(), 1);
    assert.equal(await page.locator("#diagram .partitions rect.veil").count(), 1);
    assert.ok((await page.locator("#lineage .node.cut").count()) > 5);
    assert.match(await page.locator("#compare .parting").textContent(), /First difference, tick 1/);
    assert.match(await page.locator("#line-0-74").getAttribute("class"), /needed/);
  }));

for (const colorScheme of ["light", "dark"]) {
  for (const name of ["kafka", "two_phase", "bare"]) {
    test(`${name}: contrast of all text, ${colorScheme}`, () =>
      withPage(name, { colorScheme }, async (page) => {
        for (const tick of ["2", "3", "4"]) {
          await page.locator("#tick").fill(tick);
          assert.deepEqual(await page.evaluate(poorContrasts, 4.5), []);
        }
      }));
  }
}

test("the check of contrast can fail", () =>
  withPage("kafka", {}, async (page) => {
    await page.addStyleTag({ content: ".muted { color: #aaa !important }" });
    assert.notDeepEqual(await page.evaluate(poorContrasts, 4.5), []);
  }));

for (const name of ["kafka", "bare", "hostile"]) {
  test(`${name}: everything that can be used has a name`, () =>
    withPage(name, {}, async (page) => {
      const session = await page.context().newCDPSession(page);
      const { nodes } = await session.send("Accessibility.getFullAXTree");
      const roles = [
        "button",
        "checkbox",
        "combobox",
        "complementary",
        "dialog",
        "image",
        "link",
        "listbox",
        "navigation",
        "option",
        "region",
        "searchbox",
        "slider",
        "table",
        "textbox",
      ];
      const used = nodes.filter((node) => !node.ignored && roles.includes(node.role?.value));
      assert.ok(used.length > 10);
      assert.deepEqual(
        used.filter((node) => !node.name?.value?.trim()).map((node) => node.role.value),
        [],
      );
      const landmarks = new Set(nodes.map((node) => node.role?.value));
      for (const role of ["banner", "main", "complementary", "navigation"])
        assert.ok(landmarks.has(role), role);
      const unnamed = await page.locator("svg:not([aria-label])").count();
      assert.equal(unnamed, 0);
    }));
}

for (const name of PAGES) {
  test(`${name}: a narrow screen scrolls in one direction only`, () =>
    withPage(name, { width: 360, height: 740 }, async (page) => {
      assert.equal(await overflow(page), 0);
      assert.ok(await page.locator(".run-list").isHidden());
      await page.locator(".run-panel > summary").click();
      await page.locator(".run-row").first().click();
      assert.equal(await title(page), "Without faults");
      assert.equal(await overflow(page), 0);
    }));
}

test("paper: no controls, light, the lineage whole, nothing cut off", () =>
  withPage("kafka", { colorScheme: "dark", width: 720 }, async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const part of ["#runs", "#timeline", ".controls >> nth=0"])
      assert.ok(await page.locator(part).isHidden(), part);
    assert.equal(
      await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme),
      "light",
    );
    await page.waitForFunction(() =>
      document.querySelector("svg.lineage").getAttribute("viewBox").startsWith("0 0 "),
    );
    assert.equal(await overflow(page), 0);
    assert.ok((await page.pdf({ format: "A4" })).length > 50000);
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    assert.ok(await page.locator("#runs").isVisible());
  }));

test("an address opens a run at a tick with a goal, and a wrong one does no harm", async () => {
  const hash = `#run=5&tick=2&goal=${encodeURIComponent('log("a", "w")@4')}`;
  await withPage("kafka", { hash }, async (page) => {
    assert.equal(await title(page), "Run 5");
    assert.equal(await tickOf(page), "2");
    assert.match(await page.locator(".lineage-note").textContent(), /log\("a", "w"\)@4 holds/);
    await page.evaluate(() => {
      location.hash = "#run=1&tick=5";
    });
    await page.waitForFunction(() => document.getElementById("run-title").textContent === "Run 1");
    assert.equal(await tickOf(page), "5");
  });
  for (const wrong of [
    "#run=99&tick=-3&goal=nonsense",
    "#run=&tick=1e9",
    "#%",
    "#run=1&tick=999",
  ]) {
    await withPage("kafka", { hash: wrong }, async (page) =>
      assert.ok((await page.locator("#diagram .arrow").count()) > 10),
    );
  }
});

// Runs in the page: the seconds until an event is handled and the page laid out anew.
function timed([selector, kind, value]) {
  const node = document.querySelector(selector);
  const start = performance.now();
  if (kind === "scroll") node.scrollTop = value;
  else if (value !== undefined) node.value = value;
  node.dispatchEvent(new Event(kind, { bubbles: true }));
  document.body.getBoundingClientRect();
  return (performance.now() - start) / 1000;
}

test("5,000 runs stay fluid", (t) =>
  withPage("many", {}, async (page) => {
    const elements = () => page.evaluate(() => document.querySelectorAll("*").length);
    const rows = () => page.locator(".run-row").count();
    const times = {};
    assert.ok((await elements()) < 4000);
    assert.ok((await rows()) < 45);
    times.filter = await page.evaluate(timed, ["#run-search", "input", "again, 4999"]);
    assert.equal(await page.locator("#run-count").textContent(), "1 of 5,000 runs");
    times.select = await page.evaluate(timed, [".run-row", "click"]);
    assert.equal(await title(page), "Run 4999");
    times["filter off"] = await page.evaluate(timed, ["#run-search", "input", ""]);
    times.scroll = await page.evaluate(timed, [".run-list", "scroll", 100000]);
    assert.equal(await page.locator(".run-row[data-run='1730']").count(), 1);
    await page.locator(".run-list").focus();
    await page.keyboard.press("Home");
    assert.equal(await title(page), "Without faults");
    for (let i = 0; i < 30; i += 1) await page.keyboard.press("PageDown");
    assert.ok((await rows()) < 45);
    assert.ok((await elements()) < 4000);
    for (const [what, time] of Object.entries(times)) {
      t.diagnostic(`${what}: ${Math.round(time * 1000)} ms`);
      assert.ok(time < GENEROUS, `${what} takes ${time} s`);
    }
  }));

test("a lineage of some hundred nodes stays usable", (t) =>
  withPage("long", { hash: "#run=1" }, async (page) => {
    await page.getByLabel("fold persistence").uncheck();
    const time = await page.evaluate(timed, ["[aria-label='Open all nodes']", "click"]);
    const count = await page.locator("#lineage .node").count();
    t.diagnostic(`${count} nodes: ${Math.round(time * 1000)} ms`);
    assert.ok(count > 500, `${count} nodes`);
    assert.ok(time < GENEROUS);
    const overlaps = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll("#lineage .node > rect:not(.stacked)")].map(
        (rect) => rect.getBBox(),
      );
      return boxes.filter((one, i) =>
        boxes
          .slice(i + 1)
          .some(
            (other) =>
              one.x < other.x + other.width &&
              other.x < one.x + one.width &&
              one.y < other.y + other.height &&
              other.y < one.y + one.height,
          ),
      ).length;
    });
    assert.equal(overlaps, 0);
  }));

test("hostile names stay text", () =>
  withPage("hostile", {}, async (page) => {
    for (const row of await page.locator(".run-row").all()) await row.click();
    await page.getByRole("button", { name: "Open all nodes" }).click();
    for (const mark of await page.locator("#diagram .arrow, #lineage .node").all())
      await mark.focus();
    await page.locator("#fact-mode").selectOption("all");
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(
      await page.locator("body img, body script:not(#data)").count(),
      1,
      "only the page's own script",
    );
    assert.match(
      await page.locator(".path").textContent(),
      /^<\/script><script>window\.hacked=1<\/script>$/,
    );
    assert.ok((await page.locator("#program").textContent()).includes("🧶"));
    assert.match(await page.locator("h1").textContent(), /<img src=x onerror/);
  }));

test("a run without detail says how to see it", () =>
  withPage("bare", { hash: "#run=1" }, async (page) => {
    for (const part of ["#diagram", "#lineage", "#facts", "#compare"]) {
      assert.match(
        await page.locator(part).textContent(),
        /clew run protocols\/broadcast\/simple_deliv\.ded --eot 4 --drop 'a>b@1'/,
      );
    }
    assert.match(
      await page.locator(".notes").textContent(),
      /time limit was reached.*1,234 more runs left out/,
    );
  }));

test("pages with almost nothing in them", async () => {
  const nothing = {
    points: { less: [], more: [] },
    messages: { less: [], more: [] },
    firings: { less: [], more: [] },
  };
  const lists = {
    nodes: [],
    rules: [],
    facts: [],
    points: [],
    absences: [],
    messages: [],
    firings: [],
    program: [],
  };
  const cases = {
    undetailed: (data) => ({
      ...data,
      runs: data.runs.map((run) => ({ ...run, detail: undefined })),
    }),
    goalless: (data) => ({
      ...data,
      runs: data.runs.map((run) => ({ ...run, goals: [], outcome: "vacuous" })),
    }),
    empty: (data) => ({
      ...data,
      ...lists,
      runs: [{ ...data.runs[0], goals: [], detail: nothing }],
    }),
  };
  for (const [name, change] of Object.entries(cases)) {
    await changedPage(name, "bare", change);
    await withPage(name, {}, async (page) => {
      assert.equal(await title(page), "Without faults");
      await page.getByRole("button", { name: "Fit into view" }).click();
      await page.locator("#tick").fill("1");
    });
  }
});

test("the lineage marks what the data says, and nothing of its own", async () => {
  await changedPage("marks", "kafka", (data) => {
    const { difference } = data.runs.at(-1);
    for (const mark of difference.cut) mark[1] = "stopped";
    difference.broken = [];
    return data;
  });
  await withPage("marks", {}, async (page) => {
    const rules = (await texts(page, "#lineage .node.rule.cut")).join("; ");
    assert.match(rules, /a → b · line 59 · stopped/);
    assert.doesNotMatch(rules, /omitted|crashed/);
    assert.equal(await page.locator("#lineage .node.absence.cut").count(), 0);
  });
});

test("what an aggregate did not count is an absence that leads on", async () => {
  await changedPage("uncounted", "kafka", (data) => {
    const bad = data.runs.at(-1);
    const textOf = (point) => data.facts[data.points[point][0]].text;
    const last = data.verdict.bounds.eot;
    const firing = data.firings.findIndex(
      ([, head]) => textOf(head) === 'pre("C", "w")' && data.points[head][1] === last,
    );
    assert.notEqual(firing, -1);
    const missing = bad.detail.points.less.find((point) => textOf(point) === 'log("b", "w")');
    data.absences.push([textOf(missing), data.points[missing][1]]);
    bad.difference.lacks = [[firing, [data.absences.length - 1]]];
    bad.difference.broken.push([data.absences.length - 1, [missing]]);
    return data;
  });
  const goal = encodeURIComponent('pre("C", "w")@6');
  await withPage("uncounted", { hash: `#run=7&tick=6&goal=${goal}` }, async (page) => {
    const lack = page.locator("#lineage .node.absence.new", { hasText: 'no log("b", "w")' });
    assert.match(await lack.getAttribute("aria-label"), /does not hold without faults/);
    await lack.focus();
    assert.match(
      await page.locator("#popover").textContent(),
      /but without faults log\("b", "w"\) holds: click to see why/,
    );
    await lack.click();
    assert.match(await page.locator(".lineage-note").textContent(), /^log\("b", "w"\)@\d is missing/);
  });
});

test("an aggregate of messages names all senders", async () => {
  await changedPage("aggregate", "kafka", (data) => {
    const C = data.nodes.indexOf("C");
    for (const [, head, , , messages] of data.firings) {
      const [fact] = data.points[head];
      if (data.facts[fact].text !== 'new_in_sync("a", "b")') continue;
      const [, ...rest] = data.messages[messages[0]];
      messages.push(data.messages.push([C, ...rest]) - 1);
    }
    return data;
  });
  const drawn = async (page) => (await texts(page, "#lineage .node.rule")).join("; ");
  await withPage("aggregate", {}, async (page) => {
    await page.getByRole("button", { name: "Open all nodes" }).click();
    assert.match(await drawn(page), /Z, C → a/);
  });
  await withPage("kafka", {}, async (page) => {
    await page.getByRole("button", { name: "Open all nodes" }).click();
    assert.match(await drawn(page), /Z → a/);
  });
});

test("counterexamples that are alike lead to the one that is explained", async () => {
  await changedPage("alike", "two_phase", (data) => {
    const [first, second] = data.runs.filter((run) => run.counterexample > 0);
    first.explanation = {
      goal: "",
      summary: ["It broke."],
      consequences: [],
      supports: [{ messages: [], cut_by: [] }],
      more_supports: 63,
      all_counted: false,
      parting: null,
      hints: [],
    };
    assert.equal(second.group, first.group);
    return data;
  });
  await withPage("alike", {}, async (page) => {
    assert.match(await page.locator("#why").textContent(), /Without faults at least 64 supports/);
    await page.locator(".run-row", { hasText: "Counterexample 2" }).click();
    assert.match(
      await page.locator("#why").textContent(),
      /Alike to counterexample 1; see its explanation\./,
    );
    await page.locator("#why .link").click();
    assert.equal(await title(page), "Counterexample 1");
    assert.match(await page.locator(".summary").textContent(), /It broke\./);
  });
});

// 144,000 messages at 400 ticks, each of which ends differently in the other run.
function endless(data) {
  const facts = Array.from({ length: 60 }, (_, i) => ({
    text: `m("b", ${i})`,
    relation: "m",
    node: 1,
  }));
  const messages = [];
  for (const fate of [0, 2])
    for (let i = 0; i < 144000; i += 1) {
      const from = i % 3;
      const to = (from + 1 + (Math.floor(i / 3) % 2)) % 3;
      const fact = data.facts.length + (Math.floor(i / 6) % 60);
      messages.push([from, to, Math.floor(i / 360) + 1, fact, fate]);
    }
  const none = { less: [], more: [] };
  const ids = (first) => Array.from({ length: 144000 }, (_, i) => first + i);
  const details = [{ less: [], more: ids(0) }, { less: ids(0), more: ids(144000) }];
  return {
    ...data,
    verdict: { ...data.verdict, bounds: { ...data.verdict.bounds, eot: 401 } },
    facts: [...data.facts, ...facts],
    messages,
    runs: [0, 1].map((i) => ({
      ...data.runs[i],
      crashes: i === 1 ? [[2, 390]] : [],
      goals: [],
      detail: { points: none, firings: none, messages: details[i] },
    })),
  };
}

test("very long runs are drawn in part, and the page says so", async (t) => {
  await changedPage("endless", "bare", endless);
  await withPage("endless", { hash: "#run=1" }, async (page) => {
    const ticks = await page
      .locator("#diagram .tick-row")
      .evaluateAll((rows) => rows.map((row) => Number(row.dataset.tick)));
    assert.equal(ticks.length, 200);
    assert.ok(ticks.includes(390) && ticks.includes(401), "faults are drawn, and the end");
    assert.equal(await page.locator("#diagram .crash").count(), 1);
    assert.ok((await page.locator("#diagram .arrow").count()) <= 4000);
    const words = /Not drawn: 201 ticks; [\d,]+ messages beyond what fits/;
    assert.match(await page.locator("#diagram").textContent(), words);
    assert.match(await page.locator("#compare").textContent(), words);
    assert.match(await page.locator("#compare .parting").textContent(), /First difference, tick 1/);
    assert.match(await page.locator("#compare caption").textContent(), /288,000 differences/);
    const time = await page.evaluate(timed, ["#tick", "input", "390"]);
    t.diagnostic(`a tick: ${Math.round(time * 1000)} ms`);
    assert.ok(time < GENEROUS);
  });
});

test("a part that fails says so, and leaves the others alone", async () => {
  await changedPage("partly", "kafka", (data) => {
    data.runs[1].explanation = { goal: "", summary: null };
    return data;
  });
  const page = await browser.newPage();
  await page.goto(addressOf("partly", "#run=1"));
  assert.deepEqual(await texts(page, ".failed > :visible"), await texts(page, ".failure"));
  assert.match((await texts(page, ".failure")).join("; "), /^This part of the report cannot/);
  assert.ok((await page.locator("#diagram .arrow").count()) > 10);
  await page.locator("#tick").fill("2");
  assert.equal(await page.locator("#why.failed").count(), 1);
  await page.locator(".run-row", { hasText: "Run 2" }).click();
  assert.equal(await page.locator(".failed, .failure").count(), 0);
  assert.match(await page.locator("#why").textContent(), /Judgement/);
  await page.close();
});

test("data that cannot be read is said to be so", async () => {
  await changedPage("newer", "kafka", (data) => ({ ...data, version: 3 }));
  await writeFile(
    join(scratch, "pages", "damaged.html"),
    (await readFile(join(scratch, "pages", "kafka.html"), "utf8")).replace(
      '"clew":"page"',
      '"clew":"pa',
    ),
  );
  for (const name of ["newer", "damaged"]) {
    const page = await browser.newPage();
    await page.goto(addressOf(name));
    assert.match(await page.locator("h1").textContent(), /cannot be shown/);
    await page.close();
  }
});
