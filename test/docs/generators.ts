import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventTypes } from '../../engine/kernel/event-types.ts'
import { products } from '../../engine/payments/methods/index.ts'
import { takesKeys } from '../../gateway/api/route.ts'
import { settingTable } from '../../gateway/base/settings-table.ts'
import { docsFolder } from '../../gateway/docs/library.ts'
import { sampleData } from '../../gateway/events/sample.ts'
import { problemCodes, problemStatus } from '../../gateway/problems/catalogue.ts'
import type { Language } from '../../gateway/problems/language.ts'
import { problemTexts } from '../../gateway/problems/problem-texts.ts'
import { joinWords, waysToBePaid } from '../../gateway/resources/ways-to-be-paid.ts'
import { routes } from '../../gateway/routes/index.ts'
import { sandboxGuide, sandboxTexts, type Trigger } from '../../gateway/sandbox/guide.ts'
import { commandRows } from './commands.ts'
import { type Generators, table } from './generated.ts'

const code = (text: string): string => `\`${text}\``

const triggers = (language: Language, head: string, rows: readonly Trigger[]): string =>
  table(
    [head, language === 'pt' ? 'Efeito' : 'Effect'],
    rows.map(({ value, effect }) => [code(value), effect]),
  )

const settings = (language: Language): string =>
  table(
    language === 'pt' ? ['Nome', 'Padrão', 'Significado'] : ['Name', 'Default', 'Meaning'],
    (Object.keys(settingTable) as (keyof typeof settingTable)[]).map((name) => [
      code(name),
      settingTable[name].initial === '' ? '' : code(settingTable[name].initial),
      settingTable[name].meaning[language],
    ]),
  )

const commands = (language: Language): string =>
  table(
    language === 'pt' ? ['Comando', 'O que faz'] : ['Command', 'What it does'],
    commandRows(language).map(([name, meaning]) => [code(name), meaning]),
  )

const errors = (language: Language): string =>
  problemCodes
    .map((name) => {
      const { title, cause, remedy } = problemTexts[language][name]
      return `### ${name}\n\n**${problemStatus[name]} · ${title}.** ${cause}\n\n${remedy}`
    })
    .join('\n\n')

const otherTriggers = (language: Language): string => {
  const { winningEvidence, losingEvidence, refusedBankCode, lostBankCode } = sandboxTexts[language]
  return triggers(language, language === 'pt' ? 'Valor' : 'Value', [
    { value: 'winning_evidence', effect: winningEvidence },
    { value: 'losing_evidence', effect: losingEvidence },
    { value: '000', effect: refusedBankCode },
    { value: '998', effect: lostBankCode },
  ])
}

/** The operations that take an `Idempotency-Key` from a key. */
const idempotentOperations = (): string =>
  routes
    .filter((route) => route.idempotent && takesKeys(route))
    .map(({ verb, path }) => `- ${code(`${verb} ${path.replace(':id', '{id}')}`)}`)
    .join('\n')

/** A sample of each event type at a fixed time: two runs give the same page. */
const events = (): string =>
  eventTypes
    .map((type) => {
      const data = sampleData(type, `evt_${'0'.repeat(26)}`, Date.UTC(2026, 10, 22, 13, 45))
      return `### ${type}\n\n${notRun}\n${fence}json\n${JSON.stringify(data, null, 2)}\n${fence}`
    })
    .join('\n\n')

const fence = '```'
const notRun = '<!-- not run: the data of an event, generated from the code -->'

/** `CHANGELOG.md` without its title: the page has one of its own. */
const changelog = (): string =>
  readFileSync(join(docsFolder, '../CHANGELOG.md'), 'utf8').replace(/^# .*\n/, '')

/** What pages say of the code, from the code. */
export const generators: Generators = {
  settings,
  commands,
  errors,
  'event-types': events,
  scenarios: (language) => triggers(language, 'metadata.sandboxScenario', sandboxGuide(language).scenarios),
  'card-tokens': (language) => triggers(language, 'card.token', sandboxGuide(language).tokens),
  documents: (language) => triggers(language, 'customer.document', sandboxGuide(language).documents),
  keys: (language) => triggers(language, 'key', sandboxGuide(language).keys),
  'other-triggers': otherTriggers,
  products: (language) => joinWords(products, language),
  'ways-to-be-paid': (language) => joinWords(waysToBePaid(language), language),
  'idempotent-operations': idempotentOperations,
  changelog,
}
