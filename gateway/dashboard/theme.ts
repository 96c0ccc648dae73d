/** Sets the theme before the first paint, so that a dark page does not flash. Runs alone: it must import nothing. */
const chosen = localStorage.getItem('theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
