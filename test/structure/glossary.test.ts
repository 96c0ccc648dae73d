import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { type Banned, developersWords, english, portuguese } from './glossary.ts'

/** Holds what people read to the words of `glossary.ts`: pages, mails, papers, errors, and the documentation. */
const root = resolve(import.meta.dirname, '../../..')

const read = (name: string): string => readFileSync(join(root, name), 'utf8')

const filesIn = (folder: string, name: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => name.test(file))

type Text = { readonly file: string; readonly at: string; readonly text: string }

/** The texts of a file of code: strings, templates with `…` for what they insert, and what stands between tags. */
const textsIn = (file: string): readonly Text[] => {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.ESNext, true, kind)
  const found: Text[] = []
  const visit = (node: ts.Node, path: readonly string[]): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    const text = textOf(node)
    if (text !== null) found.push({ file, at: path.join('.'), text })
    const below = ts.isPropertyAssignment(node)
      ? [...path, node.name.getText(source).replaceAll("'", '')]
      : path
    ts.forEachChild(node, (child) => visit(child, below))
  }
  visit(source, [])
  return found
}

const textOf = (node: ts.Node): string | null => {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isJsxText(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
}

/** The prose of a page of the documentation, without its code. */
const proseOf = (file: string): readonly Text[] =>
  read(file)
    .replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1`*$/gm, (code) => code.replace(/[^\n]/g, ''))
    .split('\n')
    .map((line, index) => ({ file, at: String(index + 1), text: line.replace(/`[^`]*`|\]\([^)]*\)/g, ' ') }))

const coded = [
  ...filesIn('gateway/dashboard', /\.tsx?$/),
  ...filesIn('gateway/mail', /\.ts$/),
  ...filesIn('gateway/documents', /\.ts$/),
  ...filesIn('gateway/problems', /\.ts$/),
  ...filesIn('gateway/sandbox', /\/(?:pt|en)\.ts$/),
  ...filesIn('gateway/routes/money-out', /\.ts$/),
  'gateway/routes/receipt.ts',
  ...filesIn('engine/payments/methods', /\/(?:method|step-names)\.ts$/),
].flatMap(textsIn)

/** The page that explains which words not to say may say them, and the changelog is English in both languages. */
const pagesOf = (language: 'pt' | 'en'): readonly Text[] =>
  filesIn(
    `docs/${language}`,
    language === 'pt' ? /(?<!\/glossary|\/changelog)\.md$/ : /(?<!\/glossary)\.md$/,
  ).flatMap(proseOf)

const wrongWords = (texts: readonly Text[], list: readonly Banned[]): readonly string[] =>
  texts.flatMap(({ file, at, text }) =>
    list
      .filter(({ not, only }) => (only?.some((begin) => file.startsWith(begin)) ?? true) && not.test(text))
      .map(({ not, say }) => `${file} ${at}: “${not.exec(text)?.[0]}” (say ${say}) in: ${text.trim()}`),
  )

/** The reference in Portuguese, by the English sentence that each translates. */
const reference = filesIn('docs/reference/pt', /\.json$/).flatMap((file) =>
  Object.entries<string>(JSON.parse(read(file))).map(([at, text]) => ({
    file,
    at,
    text: text.replace(/`[^`]*`/g, ' '),
  })),
)

t.test('Portuguese texts use the words of the glossary', async (t) => {
  t.strictSame(wrongWords([...coded, ...pagesOf('pt'), ...reference], portuguese), [])
})

t.test('English texts use the words of the glossary', async (t) => {
  t.strictSame(wrongWords([...coded, ...pagesOf('en')], english), [])
})

t.test('each banned word is found, alone and in a sentence', async (t) => {
  const samples = ['quem opera o serviço', 'O adquirente recusou', 'Gerir assinaturas', 'Não há volta']
  const found = samples.filter(
    (text) => wrongWords([{ file: 'docs/pt/x.md', at: '', text }], portuguese).length === 0,
  )
  t.strictSame(found, [])
  t.strictSame(wrongWords([{ file: 'docs/pt/x.md', at: '', text: 'A adquirente recusou' }], portuguese), [])
})

/** The parts of the dashboard that people read who write programs. */
const ofDevelopers = [
  'apiKeys',
  'hooks',
  'deliveries',
  'events',
  'webhooks',
  'sandbox',
  'audit',
  'home.step',
  'hint.',
]
const texts = ['gateway/dashboard/texts/pt.ts', 'gateway/dashboard/texts/en.ts']

t.test('pages of shop owners do not speak the language of the API', async (t) => {
  const wrong = coded.filter(
    ({ file, at, text }) =>
      texts.includes(file) &&
      !ofDevelopers.some((begin) => at.startsWith(begin)) &&
      developersWords.test(text.replaceAll('ID', '')),
  )
  t.strictSame(
    wrong.map(({ at, text }) => `${at}: ${text}`),
    [],
  )
})

/** What is called the same in both languages. */
const namesInPages =
  /^(?:[^\p{L}]*|E2E|txid|NSU|TID|PIX|TED|QR Code|Boleto|MRR|KB\)|ms|p95|URL|PDF|Link|https:\/\/|SANDBOX|curl|clientId|requestId|Service-Signature|payment\.refund_failed)$/u

t.test('pages take their texts from the languages', async (t) => {
  const wrong = filesIn('gateway/dashboard', /\.tsx$/).flatMap((file) =>
    shownIn(file)
      .filter((text) => !namesInPages.test(text.trim()))
      .map((text) => `${file}: ${text}`),
  )
  t.strictSame(wrong, [])
})

/** The strings of a page that stand where people read: between tags, as a label, as the term of a fact or the head of a column. */
const shownIn = (file: string): readonly string[] => {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) found.push(node.text)
    if (ts.isStringLiteral(node) && isShown(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const shownAttributes = new Set(['label', 'title', 'hint', 'text', 'lead', 'aria-label', 'placeholder'])

const isShown = (node: ts.StringLiteral): boolean => {
  const { parent } = node
  if (ts.isJsxAttribute(parent)) return shownAttributes.has(parent.name.getText())
  if (ts.isPropertyAssignment(parent)) return shownAttributes.has(parent.name.getText())
  if (!ts.isArrayLiteralExpression(parent)) return false
  const [first, second, third] = parent.elements
  // A column: its id, its head, its cell. A fact: its term, its value.
  if (third && ts.isArrowFunction(third)) return node === second
  return node === first && second !== undefined && isInFacts(parent)
}

const isInFacts = (node: ts.Node): boolean => {
  const attribute = ts.findAncestor(node, ts.isJsxAttribute)
  return attribute !== undefined && /^Fact(?:s|Section)$/.test(attribute.parent.parent.tagName.getText())
}

t.test('a status has a feminine word where it has a masculine one', async (t) => {
  const pt = texts[0]!
  const words = (path: string) => coded.filter(({ file, at }) => file === pt && at.startsWith(path))
  const feminine = /const feminine: StatusWords = \{\n([\s\S]*?)\n\}/.exec(read(pt))![1]!
  const masculine = words('status.').filter(({ text }) =>
    /(?:[aií]d|[ns]s|[oe]st|[ei]t|[au]g|[ií]v|ert)o$/.test(text),
  )
  t.ok(masculine.length > 20)
  t.strictSame(
    masculine.filter(({ at, text }) => !feminine.includes(`${at.split('.')[1]}: '${text.slice(0, -1)}a'`)),
    [],
  )
})

t.test('mails call the roles what the dashboard does', async (t) => {
  const mails = read('gateway/mail/notice-texts.ts')
  for (const role of ['OWNER', 'ADMIN', 'FINANCE'])
    for (const file of texts) {
      const { text } = coded.find((one) => one.file === file && one.at === `role.${role}`)!
      t.match(mails, `${role}: '${text}'`)
    }
})
