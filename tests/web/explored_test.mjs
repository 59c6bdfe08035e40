// The report page of an explored run in a browser. Each test fails if the page complains.
//
// usage: explored_test.mjs FOLDER     with node_modules and pages, as page_test.sh makes it

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { browser, changedPage, overflow, poorContrasts, texts, withPage } from "./browser.mjs";

after(() => browser.close());

const HOSTILE =
  "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'> \u202e 🧶";

test("an explored run: verdict, what mattered, diagram, states, the run that ends well", () =>
  withPage("explored", {}, async (page) => {
    assert.match(await page.title(), /^broken: lock\.cc – Clew$/);
    assert.equal(await page.locator("h1").textContent(), '✗ broken "one at a time" at step 8');
    const covers = (await texts(page, ".bounds div")).join("; ");
    assert.match(covers, /found within1 request at a time and 1 fault; faultscrashes, .*engine/);
    assert.match((await texts(page, ".sweep"))[0], /one at a timebroken at step 8lock\.cc:\d+/);
    assert.deepEqual(await texts(page, ".run-name"), ["Counterexample", "Run that ends well"]);
    assert.equal(await page.locator("#lineage").count(), 0);

    assert.match(
      await page.locator("#why .summary").textContent(),
      /step 8 breaks “one at a time”/,
    );
    assert.equal((await texts(page, ".cures li"))[0], "without step 4 crash server");

    const lines = await texts(page, "#diagram .items [role=button]");
    assert.deepEqual(lines, [
      "client 1: Work",
      "Lock",
      "Granted",
      "crashes",
      "client 2: Work",
      "restarts",
      "Lock",
      "✗ Granted",
    ]);
    assert.equal(await page.locator("#diagram .arrow").count(), 4);
    assert.equal(await page.locator("#diagram .life .silent").count(), 1);

    const state = (node) => page.locator(`#facts td[data-node=${node}] li`).allTextContents();
    assert.ok((await state("bob")).includes("+new: has_lock true"));
    await page.locator(".cures .tick-button").first().click();
    assert.deepEqual(await state("server"), [
      "−gone: holder ann",
      "−gone: waiting []",
      "+new: down",
    ]);
    assert.equal(await page.locator(".tick-events").textContent(), "crash server");
    await page.locator("#fact-mode").selectOption("all");
    assert.equal(await page.locator("#facts tbody tr").count(), 8);
    assert.match(await page.locator("#facts tr.now").textContent(), /crash server/);

    assert.match(await page.locator("#compare .parting").textContent(), /The same up to step 3/);
    assert.equal(await page.locator("#compare svg").count(), 2);
    assert.deepEqual(await texts(page, "#compare .pair > :last-child .marked .label"), [
      "± crashes",
      "± restarts",
    ]);
    await page.locator(".run-row", { hasText: "Run that ends well" }).click();
    assert.match(await page.locator("#why").textContent(), /Nothing is violated in this run/);
    assert.equal(await page.locator("#diagram .crash").count(), 0);
    assert.match(await page.locator("#program").textContent(), /struct LockServer/);
  }));

test("steps are reached and told with the keyboard", () =>
  withPage("explored", { hash: "#tick=0" }, async (page) => {
    assert.equal(await page.locator("#facts caption").textContent(), "States at the start");
    await page.locator("#diagram [tabindex='0'][role=button]").focus();
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    const told = await page.locator("#popover[role=dialog]").textContent();
    assert.match(told, /step 3: server → anntakes Granted.*sent step 2/);
    assert.equal(await page.locator("#tick").inputValue(), "3");
    assert.match(await page.locator(".step-now").textContent(), /step 3: server → ann/);
    await page.keyboard.press("Escape");
    assert.match(
      await page.evaluate(() => document.activeElement.getAttribute("aria-label")),
      /^step 3: deliver server>ann Granted/,
    );
  }));

test("contrast, narrow screens and paper", async () => {
  for (const colorScheme of ["light", "dark"])
    await withPage("explored", { colorScheme, hash: "#tick=4" }, async (page) =>
      assert.deepEqual(await page.evaluate(poorContrasts, 4.5), []),
    );
  for (const name of ["explored", "nothing_found"])
    await withPage(name, { width: 360, height: 740 }, async (page) => {
      assert.equal(await overflow(page), 0);
      await page.emulateMedia({ media: "print" });
      assert.equal(await overflow(page), 0);
    });
});

test("where nothing is found, the page says what was explored", () =>
  withPage("nothing_found", {}, async (page) => {
    assert.match(await page.locator("h1").textContent(), /✓ robust within 2 requests at a time/);
    assert.match((await texts(page, ".sweep[open]"))[0], /one at a timeheld in \d+ states/);
    assert.match((await texts(page, ".sweep[open] tbody"))[1], /✓ all of it/);
    assert.deepEqual(
      await page.locator("section, aside").evaluateAll((parts) => parts.map(({ id }) => id)),
      ["program"],
    );
  }));

// 300 steps, and every text is markup, or as long as texts get.
function hostile(data) {
  const [run] = data.runs;
  const long = `${HOSTILE} ${"x".repeat(3000)}`;
  run.steps = Array.from({ length: 300 }, (_, i) => ({
    ...run.steps[i % run.steps.length],
    move: i % 2 === 0 ? HOSTILE : long,
    ...(run.steps[i % run.steps.length].what && { what: i % 2 === 0 ? HOSTILE : long }),
    sent: [[0, long]],
    answered: [[HOSTILE, HOSTILE]],
  }));
  run.explanation = {
    property: HOSTILE,
    cures: [{ step: 300 }, { step: 1, after: 2 }],
    left_out: [long],
  };
  return {
    ...data,
    title: HOSTILE,
    nodes: data.nodes.map((name, i) => (i === 0 ? long : HOSTILE)),
    facts: data.facts.map((fact, i) => ({ ...fact, text: i % 2 === 0 ? long : HOSTILE })),
    verdict: { ...data.verdict, headline: HOSTILE, notes: [HOSTILE] },
    properties: data.properties.map((one) => ({ ...one, name: HOSTILE })),
  };
}

test("hostile and very long texts stay text, and 300 steps are drawn in part", async () => {
  await changedPage("explored_hostile", "explored", hostile);
  await withPage("explored_hostile", {}, async (page) => {
    assert.equal(await page.locator("#diagram .tick-row").count(), 200);
    assert.match(await page.locator("#diagram").textContent(), /Not drawn: 101 earlier steps/);
    assert.equal(await overflow(page), 0);
    await page.setViewportSize({ width: 360, height: 740 });
    assert.equal(await overflow(page), 0);
    await page.locator("#diagram .items [role=button]").last().focus();
    await page.keyboard.press("Enter");
    assert.ok(await page.locator("#popover").isVisible());
    await page.locator("#fact-mode").selectOption("all");
    assert.equal(await overflow(page), 0);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("body img, body script:not(#data)").count(), 1);
  });
});
