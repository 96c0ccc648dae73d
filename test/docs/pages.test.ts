import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import t from 'tap'
import { docsFolder, openLibrary } from '../../gateway/docs/library.ts'
import { languages } from '../../gateway/problems/language.ts'
import { blocksOf, readDocument, slugsOf } from './documents.ts'

const library = openLibrary()
const listed = library.contents.flatMap(({ pages }) => pages)

t.test('every page is in the table of contents, once, in both languages', async (t) => {
  for (const language of languages) t.strictSame(slugsOf(language), [...listed].sort(), language)
  t.equal(new Set(listed).size, listed.length)
})

t.test('both languages have the same blocks of code, and headings of the same levels', async (t) => {
  for (const slug of listed) {
    const [english, portuguese] = languages.map((language) => readDocument(`${language}/${slug}.md`))
    t.strictSame(
      blocksOf(portuguese!).map(({ line: _, notRun: __, ...block }) => block),
      blocksOf(english!).map(({ line: _, notRun: __, ...block }) => block),
      slug,
    )
    const levels = languages.map((language) =>
      library.page(language, slug)!.sections.map(({ level }) => level),
    )
    t.strictSame(levels[1], levels[0], slug)
  }
})

t.test('every link leads somewhere', async (t) => {
  const wrong: string[] = []
  for (const language of languages) {
    for (const slug of listed) {
      const path = `${language}/${slug}.md`
      const prose = readDocument(path).replace(/^```[\s\S]*?^```/gm, '')
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?:|\/)/.test(target)) continue
        const [file = '', anchor] = target.split('#')
        const place = file === '' ? path : posix.join(posix.dirname(path), file)
        const [, name] = /^(?:en|pt)\/(.+)\.md$/.exec(place) ?? []
        const sections = name === undefined ? null : library.page(language, name)?.sections
        const isThere = name === undefined ? existsSync(join(docsFolder, place)) : sections != null
        const hasAnchor = anchor === undefined || sections?.some(({ id }) => id === anchor)
        if (!isThere || !hasAnchor) wrong.push(`${path}: ${target}`)
      }
    }
  }
  t.strictSame(wrong, [])
})

t.test('a page has one title, and every file that it shows is used by a command', async (t) => {
  for (const slug of listed) {
    const { sections } = library.page('en', slug)!
    t.equal(sections.filter(({ level }) => level === 1).length, 1, slug)
    const blocks = blocksOf(readDocument(`en/${slug}.md`))
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text)
    for (const { language, fileName, line } of blocks.filter(({ notRun }) => notRun === null)) {
      const isOutput = language === 'json' || language === 'text'
      const isRun = fileName !== '' && commands.some((text) => text.includes(fileName))
      t.ok(language === 'sh' || isOutput || isRun, `${slug}, line ${line}: a block that nobody runs`)
    }
  }
})

t.test(
  'the glossary is in alphabetical order, and each word is beside that of the other language',
  async (t) => {
    const pairs = languages.map((language) => {
      const { sections } = library.page(language, 'glossary')!
      const words = sections.slice(1).map(({ heading }) => heading)
      t.strictSame(words, [...words].sort(new Intl.Collator(language).compare), language)
      return readDocument(`${language}/glossary.md`)
        .split(/^## /m)
        .slice(1)
        .map((section) => {
          const [, word = '', other = word] = /^(.+)\n\n(?:\*\*(.+?)\*\* · )?/.exec(section)!
          const pair = language === 'en' ? [word, other] : [other, word]
          return pair.join(' = ').toLowerCase()
        })
        .sort()
    })
    t.ok(pairs[0]!.length > 50)
    t.strictSame(pairs[1], pairs[0])
  },
)
