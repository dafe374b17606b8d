'use strict';
const rows = [...document.querySelectorAll('#obligations tbody tr')];
const words = document.getElementById('filter');
const state = document.getElementById('state');
const count = document.getElementById('count');
const sift = () => {
  const wanted = words.value.toLowerCase();
  let shown = 0;
  for (const row of rows) {
    row.hidden = !row.textContent.toLowerCase().includes(wanted) || (state.value && row.dataset.state !== state.value);
    shown += row.hidden ? 0 : 1;
  }
  count.textContent = `${shown} of ${rows.length}`;
};
// An editor shows parts of this page, not all of which have a list to filter.
if (words) {
  words.addEventListener('input', sift);
  state.addEventListener('change', sift);
  sift();
}
const cells = [...document.querySelectorAll('button.cell')];
for (const cell of cells) {
  cell.addEventListener('click', () => {
    const reason = document.getElementById(cell.getAttribute('aria-controls'));
    const open = reason.hidden;
    document.querySelectorAll('.reason').forEach(other => { other.hidden = true; });
    cells.forEach(other => other.setAttribute('aria-expanded', 'false'));
    reason.hidden = !open;
    cell.setAttribute('aria-expanded', String(open));
    if (open) reason.scrollIntoView({ block: 'nearest' });
  });
}
document.addEventListener('keydown', event => {
  if (words && event.key === '/' && document.activeElement !== words) { event.preventDefault(); words.focus(); }
});
