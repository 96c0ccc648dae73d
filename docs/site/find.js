// The search itself, apart from the page: what a query finds, and in which order.

/**
 * Opens the search over an index (`/docs/en/search.json`) with MiniSearch. It answers entries, best first. A query finds what has each
 * of its words, or another word for it, in either language; if nothing has them all, what has any.
 */
export const openSearch = (MiniSearch, { entries, synonyms, stopWords }) => {
  const isStopWord = new Set(stopWords.map(folded))
  const termOf = (word) => (isStopWord.has(folded(word)) ? null : singular(folded(word)))
  const termsOf = (text) => MiniSearch.getDefault('tokenize')(text).map(termOf).filter(Boolean)
  const groups = synonyms.map(({ here, also }) => ({
    here: here.map(termsOf),
    all: [...here, ...also].map(termsOf),
  }))
  const engine = new MiniSearch({
    fields: ['heading', 'title', 'text', 'names'],
    storeFields: ['page', 'heading', 'text', 'path', 'call', 'weight'],
    // The tag of an operation says less than the title of a page.
    extractField: (entry, field) => {
      if (field === 'title') return entry.call ? '' : entry.page
      if (field === 'names' && entry.call) return `${entry.page} ${entry.call} ${entry.names}`
      return entry[field]
    },
    processTerm: termOf,
  })
  engine.addAll(entries)
  const options = {
    boost: { heading: 5, title: 3, names: 0.5 },
    boostDocument: (_, __, { weight }) => weight,
    // The words of a query are terms already.
    tokenize: (term) => [term],
    processTerm: (term) => term,
  }
  return (query) => {
    const units = unitsOf(termsOf(query), groups)
    const wanted = (combineWith) => ({ combineWith, queries: units.map(wantedFor) })
    const found = engine.search(wanted('AND'), options)
    return found.length > 0 || units.length < 2 ? found : engine.search(wanted('OR'), options)
  }
}

/** Without capitals and accents, and as long as before, so that places in one are places in the other. */
export const folded = (text) => text.normalize('NFC').toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

/** Plurals of both languages, roughly: a query and what it looks for are changed alike. */
const singular = (word) => {
  if (word.length < 4) return word
  const [, stem, end] = /^(.*?)(oes|aes|ais|eis|ies|ores|eres|zes|s)$/.exec(word) ?? []
  return end === undefined || word.endsWith('ss') ? word : stem + singularEnds[end]
}
const singularEnds = {
  ...{ oes: 'ao', aes: 'ao', ais: 'al', eis: 'el', ores: 'or', eres: 'er', zes: 'z' },
  ...{ ies: 'y', s: '' },
}

/** What of a query belongs together: what was typed, and the words for it here. The last word may not be finished. */
const unitsOf = (terms, groups) => {
  const units = []
  for (let at = 0; at < terms.length; ) {
    const known = longestAt(terms, at, groups)
    const said = known ?? [terms[at]]
    const isLast = at + said.length === terms.length
    const fits = (way) => isSame(way, said) || (isLast && !known && begins(way, said))
    const others = groups
      .filter(({ all }) => all.some(fits))
      .flatMap(({ here }) => here)
      .filter((way) => !isSame(way, said))
    units.push({ said, others, isKnown: known !== undefined })
    at += said.length
  }
  return units
}

const longestAt = (terms, at, groups) =>
  groups
    .flatMap(({ all }) => all)
    .filter((way) => isSame(way, terms.slice(at, at + way.length)))
    .sort((a, b) => b.length - a.length)[0]

const isSame = (way, said) => way.length === said.length && way.every((term, at) => term === said[at])
const begins = (way, [term]) => term.length > 3 && way.length === 1 && way[0].startsWith(term)

/** A word that is known is neither the beginning of another one nor another one mistyped. */
const wantedFor = ({ said, others, isKnown }) => ({
  combineWith: 'OR',
  queries: [
    {
      combineWith: 'AND',
      queries: said,
      prefix: !isKnown,
      fuzzy: (term) => !isKnown && term.length > 4 && 0.2,
    },
    ...others.map((way) => ({ combineWith: 'AND', queries: way, boostTerm: () => 0.5 })),
  ],
})
