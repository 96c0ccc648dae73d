import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import ts from 'typescript'

/** Holds the words of this code base: one word per idea, comments as one would say them aloud, one meaning per exported name. */
const root = resolve(import.meta.dirname, '../../..')

/** Folders whose comments and words are held. */
const held = ['engine', 'persistence', 'gateway']

/** Every word that gave way to a better one, as identifiers spell it, with the word to take. */
const banned: Readonly<Record<string, string>> = {
  OutsideRequest: 'ProviderCallRequest',
  partId: 'reversalId',
  partsOf: 'reversalIdsOf',
  aboutOf: 'targetOf',
  isAsking: 'awaitsProvider',
  Told: 'CommandOutcome, QueryResult, DraftPublicEvent, PendingEvent',
  entryAgain: 'rebuildEntry',
  earlierCharge: 'delete it: the format is released once',
  Kept: 'Versioned',
  KeptReply: 'IdempotencyRecord',
  bear: 'insertRow',
  bornAt: 'createdSequence',
  births: 'createdSequence',
  rowsBornBy: 'rowsCreatedBy',
  sieve: 'bloomFilter',
  giveWay: 'yieldIfDue',
  keepWhere: 'filterWhere',
  keepEqual: 'filterEqual',
  keepBetween: 'filterBetween',
  keepMarked: 'filterMarked',
  sheetWriter: 'snapshotWriter',
  StoredSheet: 'StoredTableSnapshot',
  checkpoint: 'snapshot',
  Checkpoint: 'SnapshotChanges',
  crew: 'workerPool',
  crewControl: 'workerPool',
  openMesh: 'openRouter',
  Ground: 'Storage',
  openGround: 'openStorage',
  inWords: 'asOperatorError',
  outOfTouch: 'leaseUnconfirmed',
  isInTouch: 'hasLease',
  unhear: 'unsubscribe',
  onWhole: 'onRecreated',
  attemptsToStrangersMax: 'initialSlotsPerEndpoint',
  TimerPutAside: 'TimerParked',
  onThere: 'onExisting',
  DeciderThere: 'ExistingChargeDecider',
  openDispute: 'disputeRefusal',
  GiveUpAuthorization: 'TimeOutAuthorization',
  abandonAuthorization: 'timeOutAuthorization',
  Mesh: 'ShardRouter',
  positiveAmountOf: 'nonNegativeAmountOf',
  onlyReal: 'brlOnly',
  CardTriedInVain: 'CardDeclineCounted',
  TriedCard: 'CardRetryBudget',
  triedCard: 'cardRetries',
  isTriedOut: 'isRetryLimitReached',
  CollectionGivenUp: 'CollectionStopped',
  InvoiceGivenUp: 'InvoiceMarkedUncollectible',
  RedemptionGivenBack: 'RedemptionReleased',
  DunningPutOff: 'DunningPostponed',
  PlanSwapped: 'PlanChangeApplied',
  InvoicePresented: 'PaymentInstructionsIssued',
  whatPartiesGave: 'refundShares',
  givenBack: 'quoteRefundShares',
  moveShares: 'syncTransfers',
  nowRow: 'immediateRow',
  something: 'nonZero',
  isNothing: 'isZero',
  madeUpAcquirerData: 'fakeAcquirerData',
  paidBySomebodyElseDocument: 'thirdPartyPayerDocument',
  anId: 'idParameter',
  allInOne: 'unpaginated',
  isDearer: 'isUpgrade',
  morningOf: 'billingTimeOn',
  startsAnew: 'isSnapshotEvent',
  TransactionEvent: 'TransactionFact',
  MoneyOutEvent: 'MoneyOutFact',
  AccountEvent: 'AccountFact',
  DirectoryEvent: 'DirectoryFact',
  evolveTransfer: 'evolveSplitTransfer',
  folded: 'foldCase',
  told: 'reported, known, or what it is',
  tell: 'report, send or execute',
  isHeard: 'hasContact, or what was heard',
  learn: 'remember, or what is done',
  now: 'nowMs, realNow, or whose present state it is',
  turn: 'chargeContext, or what the turn does',
  word: 'value, or what it is',
  flag: 'booleanOf, or what it says',
  whoever: 'who',
}

/** Words that a folder may use in another sense, such as `again` for a repeated request and `span` for tracing. */
const bannedBelowGateway: Readonly<Record<string, string>> = {
  partOf: 'reversalIdOf',
  sheet: 'tableSnapshot',
  sheets: 'tableSnapshots',
  again: 'readFrom, or what is repeated',
  lead: 'startLeading',
  Lead: 'Leadership',
  span: 'segmentStats',
  Span: 'SegmentStats',
  pace: 'timeSlice',
  asking: 'awaitingProvider',
  least: 'min',
  minus: 'subtract',
  seldom: 'rare',
  giveUp: 'markUncollectible, or what is done',
}

const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))

const sources = new Map(
  ['engine', 'persistence', 'gateway'].flatMap(filesOf).map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
    return [file, ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind)] as const
  }),
)

const forEachNode = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node)
  ts.forEachChild(node, (child) => forEachNode(child, visit))
}

/** `Date.now` and `performance.now` are not ours to name. */
const isOfRuntime = ({ parent }: ts.Identifier): boolean =>
  ts.isPropertyAccessExpression(parent) &&
  ts.isIdentifier(parent.expression) &&
  ['Date', 'performance'].includes(parent.expression.text)

/** Names that the API or Node gives: the clock of the Sandbox, a way to open files. */
const namesOfOthers: Readonly<Record<string, string>> = {
  'gateway/resources/developers/sandbox.ts': 'now',
  'persistence/home/master-key.ts': 'flag',
}

const identifiersIn = (source: ts.SourceFile): ReadonlySet<string> => {
  const found = new Set<string>()
  forEachNode(source, (node) => {
    if (ts.isIdentifier(node) && !isOfRuntime(node)) found.add(node.text)
  })
  return found
}

/** The comments of a file, each as one line without its marks. */
const commentsIn = ({ text }: ts.SourceFile): readonly string[] => {
  // Strings and templates first: what looks like a comment in them is none.
  const tokens =
    /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|(?:(?<=^|[\s;{(,])\/\/[^\n]*(?:\n\s*(?=\/\/))?)+/g
  return [...text.matchAll(tokens)]
    .map(([token]) => token)
    .filter((token) => token.startsWith('/'))
    .map((token) =>
      token
        .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
}

const inFolder = (folder: string) => [...sources].filter(([file]) => file.startsWith(`${folder}/`))

for (const folder of held) {
  t.test(`${folder}/ uses the words that were agreed`, async (t) => {
    const words = folder === 'gateway' ? banned : { ...banned, ...bannedBelowGateway }
    const wrong = inFolder(folder).flatMap(([file, source]) =>
      [...identifiersIn(source)]
        .filter((word) => Object.hasOwn(words, word) && namesOfOthers[file] !== word)
        .map((word) => `${file}: ${word} (say ${words[word]})`),
    )
    t.strictSame(wrong, [])
  })

  t.test(`comments of ${folder}/ begin with their subject and name it`, async (t) => {
    const wrong = inFolder(folder).flatMap(([file, source]) =>
      commentsIn(source)
        .filter((comment) => /^Of\b|\b(?:who|some|any|every|no)body\b|\bwhoever\b/i.test(comment))
        .map((comment) => `${file}: ${comment}`),
    )
    t.strictSame(wrong, [])
  })
}

t.test('comments are found, and what only looks like one is not', async (t) => {
  const source = ts.createSourceFile(
    'x.ts',
    "/** Of a. */\nconst url = 'http://b' // c\n// d\n//  e\nconst f = `/* g */`\n",
    ts.ScriptTarget.ESNext,
  )
  t.strictSame(commentsIn(source), ['Of a.', 'c d e'])
})

/** The names that a file exports by a declaration of its own. */
const exportsOf = (source: ts.SourceFile): readonly string[] =>
  source.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(source))
    return 'name' in statement && statement.name !== undefined ? [(statement.name as ts.Identifier).text] : []
  })

/** Names that two files export with one meaning, and why. None has two; one that is no longer shared leaves the list. */
const shared: Readonly<Record<string, readonly string[]>> = {
  'the kernel function, and the same bound to all actors of this engine': [
    'applyEntry',
    'openShard',
    'providerRequestsOf',
    'replay',
  ],
  'every package has its own bounds and its own pause: none may import the other': ['delay', 'bounds'],
  'a port that the gateway states and persistence fills, which may not import each other': [
    'ControlChannel',
    'ShardStatus',
  ],
  'a text for each language, one file of prose each': ['en', 'pt'],
}

/** The files that export each name, of those that can import each other: the browser's code and the service cannot. */
const sharedNames = (isIncluded: (file: string) => boolean): string[] => {
  const files = new Map<string, Set<string>>()
  for (const [file, source] of sources)
    if (isIncluded(file))
      for (const name of exportsOf(source)) files.set(name, (files.get(name) ?? new Set()).add(file))
  return [...files].filter(([, of]) => of.size > 1).map(([name]) => name)
}

const isInBrowser = (file: string): boolean => file.startsWith('gateway/dashboard/')

t.test('a name is exported by one file of production code, but for those that say why', async (t) => {
  const found = sharedNames((file) => !isInBrowser(file))
  t.strictSame(found.sort(), Object.values(shared).flat().sort())
})

t.test('a name is exported by one file of the dashboard', async (t) => {
  t.strictSame(sharedNames(isInBrowser), [])
})

for (const folder of held)
  t.test(`every exported function of ${folder}/ says what it promises`, async (t) => {
    const wrong = inFolder(folder).flatMap(([file, source]) =>
      source.statements
        .filter((statement) => exportsFunction(statement) && !hasDocComment(source, statement))
        .map((statement) => `${file}: ${statement.getText(source).split('\n')[0]}`),
    )
    t.strictSame(wrong, [])
  })

const exportsFunction = (statement: ts.Statement): boolean => {
  if (!ts.canHaveModifiers(statement)) return false
  if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return false
  if (ts.isFunctionDeclaration(statement)) return true
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(
      ({ initializer: value }) =>
        value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)),
    )
  )
}

const hasDocComment = ({ text }: ts.SourceFile, statement: ts.Statement): boolean =>
  (ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? []).some(({ pos }) =>
    text.startsWith('/**', pos),
  )
