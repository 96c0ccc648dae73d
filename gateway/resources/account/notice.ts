import type { MailChoices } from '../../../engine/notices/account-part.ts'
import { type NoticeKind, noticeKinds } from '../../../engine/notices/notice.ts'
import type { ReadableNotice } from '../../../engine/notices/queries.ts'
import type { Environment } from '../../../engine/shared/ids.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  anyObject,
  booleanOf,
  count,
  createdAtField,
  identityFields,
  instant,
  instantOrNull,
  nullableField,
  nullableText,
  objectField,
} from '../fields.ts'
import { resource, same } from '../resource.ts'
import { isMailedByChoice, mailedByDefault } from './notice-choices.ts'
import { openDetails } from './notice-details.ts'

const allKinds = Object.keys(noticeKinds) as readonly NoticeKind[]

const noticeKindSchema = named(
  'NoticeKind',
  described(choice(...allKinds), 'What happened. Each is for those whose role can act on it.'),
)

/** A notice as its reader sees it (dashboard, section 4.2). */
export const noticeResource = resource<ReadableNotice, [OpenPersonal]>(
  'Notice',
  'What happened that a person should know.',
).with({
  ...identityFields('ntf', 'notice'),
  kind: [noticeKindSchema, same],
  objectId: [
    described(
      nullableText,
      'What it is about: a transaction, transfer, withdrawal, delivery, ticket, key, change or person.',
    ),
    same,
  ],
  details: [
    described(
      anyObject,
      'What a text about it names, by kind: `amount` in centavos, `cryptoAmount` with its `asset`, `defenseDueAt`, `endpointId`, `reason`, `type`, `name`, of a limit `stage` and `fields`, ….',
    ),
    (n, open) => openDetails(n.details, open),
  ],
  count: [count('How often it happened: what repeats within the hour is one notice.'), same],
  readAt: [
    nullableField(instant, 'When this person has read it; null while it is unread.'),
    (n) => instantOrNull(n.readAtMs),
  ],
  createdAt: createdAtField,
})

/** Which kinds a person can choose to have by mail. Those about security are mailed whatever they choose. */
export const chosenKinds = allKinds.filter(isMailedByChoice)

/** Every kind that can be chosen, with the same schema. */
export const ofChosenKinds = <Schema>(schema: (kind: NoticeKind) => Schema): Record<NoticeKind, Schema> =>
  Object.fromEntries(chosenKinds.map((kind) => [kind, schema(kind)])) as Record<NoticeKind, Schema>

/** What a person has chosen, with the defaults of the environment. */
export const noticePreferences = resource<MailChoices, [Environment]>(
  'NoticePreferences',
  'What a person is told by mail.',
).with({
  ...objectField('notice_preferences'),
  mail: [
    namedObject(
      'NoticeMail',
      'By kind of notice. Keys that were made, limits that were changed, new sign-ins and factors that were reset are mailed in any case.',
      ofChosenKinds(() => booleanOf('Whether it comes by mail, too.')),
    ),
    (mail, environment) => ofChosenKinds((kind) => mail[kind] ?? mailedByDefault(kind, environment)),
  ],
})
