// The report page of processes under failures in a browser. Each test fails if the page complains.
//
// usage: injected_test.mjs FOLDER     with node_modules and pages, as page_test.sh makes it

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { browser, changedPage, overflow, poorContrasts, texts, withPage } from "./browser.mjs";

after(() => browser.close());

const HOSTILE =
  "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'> \u202e 🧶";

test("the master: why, the failure on its line, the moments", () =>
  withPage("master", {}, async (page) => {
    assert.match(await page.title(), /master\.toml/);
    assert.match(await page.locator("h1").textContent(), /violated "noLostFiles" by 1 cause/);
    assert.match(await page.locator("#why .summary").textContent(), /violated in 5 of 5 runs/);
    assert.match((await texts(page, ".cures li"))[0], /the node is killed after ftruncate/);

    const faults = await texts(page, "#diagram .items .fault .label");
    assert.equal(faults.length, 1);
    assert.match(faults[0], /^⚡ the node is killed/);
    assert.equal(await page.locator("#diagram .crash").count(), 1);
    assert.equal(await page.locator("#diagram .restart").count(), 1);
    assert.equal(await page.locator("#diagram .life .silent").count(), 1);
    // How nodes are loaded is left out.
    const labels = await texts(page, "#diagram .items [role=button]");
    assert.deepEqual(labels.slice(0, 2), ["starts", "openat ."]);
    assert.ok(labels.slice(0, labels.indexOf("is ready")).every((label) => !label.includes("ld.so.cache")), labels.join("; "));

    await page.locator(".cures .tick-button").first().click();
    const now = page.locator("#facts tr.now");
    assert.match(await now.textContent(), /master.*the node is killed after ftruncate/);
    await page.locator("#fact-search").fill("f3");
    assert.match((await texts(page, "#facts tbody tr"))[0], /workload.*says "added f3"/);
  }));

// The toys receive byte by byte: a message is one arrow all the same.
test("messages are arrows between the lines of processes", () =>
  withPage("pipeline", {}, async (page) => {
    const arrows = page.locator("#diagram .items .arrow");
    assert.ok((await arrows.count()) > 5);
    const data = JSON.parse(await page.locator("#data").textContent());
    const { steps } = data.runs[0];
    const received = steps.flatMap((step) => (step.from === undefined ? [] : [step]));
    assert.equal(received.length, await arrows.count());
    for (const { from, node, sent_by: by, what } of received) {
      assert.notEqual(from, node);
      assert.ok(by > 0 && steps[by - 1].node === from, what);
      assert.match(steps[by - 1].what, /^(send|write)/);
      assert.match(what, /^(recv|read)/);
    }
    assert.ok(received.some(({ what }) => /, \d+ times$/.test(what)));
    steps.forEach(({ sent_by: by }, i) => assert.ok(by === undefined || by <= i));
    await arrows.first().click();
    assert.match(await page.locator("#popover").textContent(), /sent moment \d+|sent step \d+/);
    assert.match((await texts(page, "#diagram .items .fault .label"))[0], /^⚡ /);
  }));

for (const theme of ["light", "dark"]) {
  test(`it can be read in ${theme} colours, and on a narrow screen`, () =>
    withPage("master", { colorScheme: theme, width: 400 }, async (page) => {
      assert.deepEqual(await page.evaluate(poorContrasts, 4.5), []);
      assert.equal(await overflow(page), 0);
    }));
}

test("what processes print is text, whatever it is", async () => {
  await changedPage("hostile_injected", "master", (data) => {
    for (const step of data.runs[0].steps) step.move = step.what = HOSTILE;
    data.nodes[0] = HOSTILE;
    return data;
  });
  await withPage("hostile_injected", {}, async (page) => {
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("img").count(), 0);
  });
});
