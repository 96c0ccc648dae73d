import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { problemOfError } from '../core/api.ts'
import { t } from '../core/language.ts'
import type { ApiProblem } from '../core/problem.ts'
import { refresh } from '../core/query.ts'
import { Button } from './basics.tsx'
import { Dialog } from './dialog.tsx'
import type { IconName } from './icons.tsx'
import { Rows } from './table.tsx'

/** What can be done with several rows at once, one request for each. */
export type BulkAct<Row> = {
  readonly text: string
  readonly icon: IconName
  /** What happens, said before it does. */
  readonly lead: string
  readonly tone: 'danger' | 'main'
  /** Whether a row can be acted on as it stands; others of the selection are left alone. */
  readonly fits: (row: Row) => boolean
  readonly act: (row: Row) => Promise<unknown>
  /** The prefix of API paths to reload afterwards. */
  readonly changes: string
}

/** What the rows of a list can be selected for. */
export type Bulk<Row> = {
  readonly acts: readonly BulkAct<Row>[]
  /** More for the selection, such as a link to a file. */
  readonly more?: (rows: readonly Row[]) => ComponentChildren
}

/** The props by which a list has a selection; none where the role can do nothing with one. */
export const bulkOf = <Row,>(
  acts: readonly BulkAct<Row>[],
  more?: Bulk<Row>['more'],
): { bulk?: Bulk<Row> } => (acts.length === 0 ? {} : { bulk: { acts, ...(more && { more }) } })

type Selected<Row> = { readonly rows: readonly Row[]; readonly nameOf: (row: Row) => string }

/** The bar of a selection: how many rows it has, and what can be done with them. */
export const BulkBar = <Row extends { readonly id: string }>({
  of: { acts, more },
  rows,
  nameOf,
  onAll,
  onNone,
}: Selected<Row> & { of: Bulk<Row>; onAll: (() => void) | null; onNone: () => void }) => {
  const [running, setRunning] = useState<{ act: BulkAct<Row>; rows: readonly Row[] } | null>(null)
  return (
    <section class="bulk-bar" aria-label={t.bulk.title}>
      <strong aria-live="polite">{t.bulk.selected(rows.length)}</strong>
      {acts.map((act) => {
        const fitting = rows.filter(act.fits)
        return (
          <Button
            key={act.text}
            icon={act.icon}
            isDisabled={fitting.length === 0}
            onClick={() => setRunning({ act, rows: fitting })}
            text={fitting.length === rows.length ? act.text : `${act.text} (${fitting.length})`}
          />
        )
      })}
      {more?.(rows)}
      {onAll && <Button tone="quiet" onClick={onAll} text={t.bulk.all} />}
      <Button tone="quiet" onClick={onNone} text={t.bulk.none} />
      {running && (
        <BulkDialog
          {...running}
          nameOf={nameOf}
          onClose={(isDone) => {
            setRunning(null)
            if (isDone) onNone()
          }}
        />
      )}
    </section>
  )
}

type Result = 'WAITING' | 'DONE' | ApiProblem

/** Asks, acts on each row, and says of each what became of it; what failed can be tried again. */
const BulkDialog = <Row extends { readonly id: string }>({
  act,
  rows,
  nameOf,
  onClose,
}: Selected<Row> & { act: BulkAct<Row>; onClose: (isDone: boolean) => void }) => {
  const [results, setResults] = useState<Readonly<Record<string, Result>>>({})
  const [isBusy, setBusy] = useState(false)
  const failed = rows.filter(({ id }) => typeof results[id] === 'object')
  const hasRun = Object.keys(results).length > 0

  const run = async (left: readonly Row[]): Promise<void> => {
    setBusy(true)
    const note = (id: string, result: Result) => setResults((before) => ({ ...before, [id]: result }))
    for (const { id } of left) note(id, 'WAITING')
    const queue = [...left]
    const work = async (): Promise<void> => {
      for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
        const { id } = row
        await act.act(row).then(
          () => note(id, 'DONE'),
          (error: unknown) => note(id, problemOfError(error)),
        )
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    setBusy(false)
    refresh(act.changes)
  }

  return (
    <Dialog title={act.text} onClose={() => onClose(hasRun && failed.length === 0)} isFixed={isBusy}>
      <p>{hasRun && !isBusy ? t.bulk.ended(rows.length - failed.length, failed.length) : act.lead}</p>
      <Rows
        label={t.bulk.title}
        heads={[t.bulk.row, t.bulk.result]}
        rows={rows.map((row) => [row.id, nameOf(row), resultText(results[row.id])])}
      />
      <div class="form-foot">
        {!isBusy && (
          <Button
            tone="quiet"
            onClick={() => onClose(hasRun && failed.length === 0)}
            text={hasRun ? t.common.close : t.common.cancel}
          />
        )}
        {!hasRun && (
          <Button tone={act.tone} onClick={() => void run(rows)} text={`${act.text} (${rows.length})`} />
        )}
        {isBusy && <Button tone={act.tone} isBusy text={act.text} />}
        {!isBusy && failed.length > 0 && (
          <Button tone="main" onClick={() => void run(failed)} text={t.bulk.again(failed.length)} />
        )}
      </div>
    </Dialog>
  )
}

/** Requests on their way at the same time: a session has a rate, too. */
const atOnce = 4

const resultText = (result: Result | undefined) => {
  if (result === undefined) return '–'
  if (result === 'WAITING') return t.bulk.waiting
  if (result === 'DONE') return t.bulk.done
  return <span class="warn-text">{result.title}</span>
}
