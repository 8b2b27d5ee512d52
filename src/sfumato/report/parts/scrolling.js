// A region that scrolls can be reached with the keyboard; one that does not is no stop on the way.
function watchScrolling() {
  const scrolling = (region) => region.scrollWidth > region.clientWidth + 1
    || region.scrollHeight > region.clientHeight + 1;
  const mark = (region) => {
    if (scrolling(region)) {
      region.tabIndex = 0;
      region.setAttribute('role', 'group');
      region.setAttribute('aria-label', region.dataset.name);
    } else {
      for (const name of ['tabindex', 'role', 'aria-label']) region.removeAttribute(name);
    }
  };
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) mark(target.closest('.scroll'));
  });
  for (const region of document.querySelectorAll('.scroll')) {
    watch.observe(region);
    for (const child of region.children) watch.observe(child);
    mark(region);
  }
}
