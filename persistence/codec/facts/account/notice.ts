import type { NoticeId } from '../../../../engine/shared/ids.ts'
import { json, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<NoticeId>(), atMs: number() }

export const noticeFacts = {
  NoticeRaised: [1, { ...head, notice: json() }],
  NoticeRepeated: [2, { ...head, details: json() }],
  NoticeReminded: [3, head],
  NoticeRead: [4, { ...head, personId: text() }],
  NoticeMailed: [5, head],
} satisfies FactLayouts<'notice'>
