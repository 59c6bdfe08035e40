// The one small window that tells more about a mark of a picture: while the pointer or the focus is on
// the mark, or for good after a click.

let popoverMark = null; // the mark that it is open for
let popoverKept = null; // the same, if it was kept open
let popoverQuiet = false; // while the focus goes back to a mark that was just left

function showPopover(mark, content, keep = false) {
  if (popoverQuiet || (popoverKept && !keep)) return;
  const box = byId("popover");
  refill(box, ...[content].flat());
  if (keep)
    box.append(
      element(
        "button",
        { class: "close", "aria-label": "Close", onclick: () => hidePopover(true) },
        "×",
      ),
    );
  box.setAttribute("role", keep ? "dialog" : "tooltip");
  box.setAttribute("aria-label", "Details");
  box.hidden = false;
  popoverMark = mark;
  popoverKept = keep ? mark : null;
  placePopover(box, mark.getBoundingClientRect());
}

function placePopover(box, around) {
  const gap = 8;
  const { width, height } = box.getBoundingClientRect();
  const left = Math.min(
    Math.max(gap, around.left + around.width / 2 - width / 2),
    innerWidth - width - gap,
  );
  const below = around.bottom + gap;
  const top = below + height < innerHeight ? below : Math.max(gap, around.top - height - gap);
  box.style.left = `${Math.max(gap, left)}px`;
  box.style.top = `${top}px`;
}

function hidePopover(evenIfKept = false) {
  if (popoverKept && !evenIfKept) return;
  const mark = popoverKept;
  popoverKept = null;
  const box = byId("popover");
  const hadFocus = box.contains(document.activeElement);
  box.hidden = true;
  if (!hadFocus || !mark?.isConnected) return;
  popoverQuiet = true;
  mark.focus({ preventScroll: true });
  popoverQuiet = false;
}

// Shows `content()` at the mark; with `keepable`, a click or Enter keeps it open.
function describe(mark, content, keepable = false) {
  mark.addEventListener("pointerenter", () => showPopover(mark, content()));
  mark.addEventListener("pointerleave", () => hidePopover());
  mark.addEventListener(
    "focus",
    () => mark.matches(":focus-visible") && showPopover(mark, content()),
  );
  mark.addEventListener("blur", () => hidePopover());
  if (!keepable) return;
  const keep = () => {
    showPopover(mark, content(), true);
    byId("popover").querySelector("button")?.focus({ preventScroll: true });
  };
  mark.addEventListener("click", keep);
  mark.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    keep();
  });
}

function followMark() {
  const box = byId("popover");
  if (box.hidden) return;
  const around = popoverMark.getBoundingClientRect();
  const visible = popoverMark.isConnected && around.bottom > 0 && around.top < innerHeight;
  if (visible) placePopover(box, around);
  else hidePopover(true);
}

function startPopover() {
  document.addEventListener("keydown", (event) => event.key === "Escape" && hidePopover(true));
  document.addEventListener("pointerdown", (event) => {
    if (
      popoverKept &&
      !byId("popover").contains(event.target) &&
      !popoverKept.contains(event.target)
    )
      hidePopover(true);
  });
  addEventListener("scroll", followMark, { passive: true, capture: true });
  addEventListener("resize", () => hidePopover(true));
}
