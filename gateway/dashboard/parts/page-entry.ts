import type { ComponentType } from 'preact'
import type { Schemas } from '../core/api.ts'
import type { PageName } from '../core/router.ts'
import type { IconName } from './icons.tsx'

/** A page of the dashboard. */
export type PageEntry = {
  readonly title: () => string
  /** Its entry in the menu; none where only links lead to it. */
  readonly menu?: Access & {
    readonly group?: MenuGroup
    readonly icon: IconName
    /** Where it differs from the title: what all pages of the entry are about. */
    readonly text?: () => string
  }
  /** The page with the entry that it shares: they are tabs of each other. */
  readonly tab?: Access & { readonly of: string; readonly text?: () => string }
  readonly page: () => Promise<ComponentType<{ rest: readonly string[] }>>
  /** The page of one row of a list, where the address has an id. */
  readonly one?: () => Promise<ComponentType<{ id: string }>>
}

export type PageTable = Readonly<Record<PageName, PageEntry>>

/** Who may open a page, and where. */
export type Access = {
  readonly permission: string
  readonly isSandboxOnly?: boolean
  readonly isProductionOnly?: boolean
  /** The product that it is about: without it, nothing leads to the page. */
  readonly product?: Schemas['Company']['products']['SANDBOX'][number]
}

/** The parts of the menu that have a heading and can be closed, in their order. */
export const menuGroups = ['crypto', 'developers', 'account'] as const
export type MenuGroup = (typeof menuGroups)[number]
