import type { ComponentChildren } from 'preact'
import { t } from '../core/language.ts'
import { pathTo } from '../core/router.ts'
import { copy } from './basics.tsx'
import { IconButton } from './buttons.tsx'
import { pageOf } from './page-of.ts'

type JsonProps = {
  /** A value, or the text of one; any other text is shown as it is. */
  of: unknown
  /** What it is, for screen readers. */
  label: string
}

/** JSON for reading: coloured, with parts that fold, links where its ids have pages, and a button that copies it. */
export const Json = ({ of, label }: JsonProps) => {
  const value = typeof of === 'string' ? parsed(of) : of
  const text = value === undefined ? String(of) : JSON.stringify(value, null, 2)
  return (
    <div class="code json">
      <IconButton
        icon="copy"
        size={14}
        name={`${t.common.copy} ${label}`}
        onClick={() => void copy(text)}
        look="json-copy"
      />
      {value === undefined ? text : <Part of={value} depth={0} />}
    </div>
  )
}

/** The value that a text of JSON stands for; undefined for any other text. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How deep it is open at first. */
const openDepth = 3

type PartProps = { of: unknown; depth: number; name?: string; isLast?: boolean }

const Part = ({ of, depth, name, isLast = true }: PartProps) => {
  const before = name === undefined ? '' : <Name of={name} />
  const comma = isLast ? '' : ','
  if (typeof of !== 'object' || of === null)
    return (
      <div>
        {before}
        <Leaf of={of} />
        {comma}
      </div>
    )
  const isList = Array.isArray(of)
  const [start, end] = isList ? ['[', ']'] : ['{', '}']
  const members = Object.entries(of)
  if (members.length === 0)
    return (
      <div>
        {before}
        {start}
        {end}
        {comma}
      </div>
    )
  return (
    <details open={depth < openDepth}>
      <summary>
        {before}
        {start}
        <span class="json-folded" aria-hidden="true">
          {` … ${end}${comma}`}
        </span>
      </summary>
      <div class="json-members">
        {members.map(([key, member], n) => (
          <Part
            key={key}
            of={member}
            depth={depth + 1}
            isLast={n === members.length - 1}
            {...(!isList && { name: key })}
          />
        ))}
      </div>
      {end}
      {comma}
    </details>
  )
}

const Name = ({ of }: { of: string }): ComponentChildren => (
  <>
    <span class="json-name">{JSON.stringify(of)}</span>
    {': '}
  </>
)

const Leaf = ({ of }: { of: unknown }) => {
  const text = JSON.stringify(of)
  const page = typeof of === 'string' && /^[a-z]{3}_\w+$/.test(of) ? pageOf(of) : null
  return (
    <span class={`json-${of === null ? 'null' : typeof of}`}>
      {page === null ? text : <a href={pathTo(page)}>{text}</a>}
    </span>
  )
}
