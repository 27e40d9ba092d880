"""What the Gmail API takes and answers: its 56 schemas, in our words."""

from __future__ import annotations

from fakes.core.google.schemas import (
    BYTES,
    FLAG,
    INT32,
    INT64,
    TEXT,
    TIME,
    UINT32,
    UINT64,
    Schema,
    deprecated,
    many,
    one_of,
    read_only,
    ref,
)

_MAIL = {
    "BatchDeleteMessagesRequest": Schema("Messages to remove for good.", {"ids": many(TEXT)}),
    "BatchModifyMessagesRequest": Schema("Labels to put on many messages and to take off.", {
        "addClassificationLabels": many(ref("ClassificationLabelValue")), "addLabelIds": many(TEXT),
        "ids": many(TEXT), "removeClassificationLabelIds": many(TEXT), "removeLabelIds": many(TEXT),
    }),
    "ClassificationLabelFieldValue": Schema("A field of a classification label.", {
        "fieldId": TEXT, "selection": TEXT,
    }),
    "ClassificationLabelValue": Schema("A classification label on a message.", {
        "fields": many(ref("ClassificationLabelFieldValue")), "labelId": TEXT,
    }),
    "Draft": Schema("A message that is being written.", {"id": TEXT, "message": ref("Message")}),
    "History": Schema("Changes of the mailbox that were made at once.", {
        "id": UINT64, "labelsAdded": many(ref("HistoryLabelAdded")),
        "labelsRemoved": many(ref("HistoryLabelRemoved")), "messages": many(ref("Message")),
        "messagesAdded": many(ref("HistoryMessageAdded")),
        "messagesDeleted": many(ref("HistoryMessageDeleted")),
    }),
    "HistoryLabelAdded": Schema("Labels that were put on a message.", {
        "labelIds": many(TEXT), "message": ref("Message"),
    }),
    "HistoryLabelRemoved": Schema("Labels that were taken off a message.", {
        "labelIds": many(TEXT), "message": ref("Message"),
    }),
    "HistoryMessageAdded": Schema("A message that came into the mailbox.", {"message": ref("Message")}),
    "HistoryMessageDeleted": Schema("A message that was removed for good.", {"message": ref("Message")}),
    "Label": Schema("A label; counts only where one label is asked for.", {
        "color": ref("LabelColor"), "id": TEXT,
        "labelListVisibility": one_of("labelShow", "labelShowIfUnread", "labelHide"),
        "messageListVisibility": one_of("show", "hide"), "messagesTotal": INT32, "messagesUnread": INT32,
        "name": TEXT, "threadsTotal": INT32, "threadsUnread": INT32, "type": one_of("system", "user"),
    }),
    "LabelColor": Schema("A label's colours, of the palette.", {"backgroundColor": TEXT, "textColor": TEXT}),
    "ListDraftsResponse": Schema("A page of drafts.", {
        "drafts": many(ref("Draft")), "nextPageToken": TEXT, "resultSizeEstimate": UINT32,
    }),
    "ListHistoryResponse": Schema("A page of changes.", {
        "history": many(ref("History")), "historyId": UINT64, "nextPageToken": TEXT,
    }),
    "ListLabelsResponse": Schema("All labels.", {"labels": many(ref("Label"))}),
    "ListMessagesResponse": Schema("A page of messages, by their ids.", {
        "messages": many(ref("Message")), "nextPageToken": TEXT, "resultSizeEstimate": UINT32,
    }),
    "ListThreadsResponse": Schema("A page of threads.", {
        "nextPageToken": TEXT, "resultSizeEstimate": UINT32, "threads": many(ref("Thread")),
    }),
    "Message": Schema("A message; which fields are there goes by the format.", {
        "classificationLabelValues": many(ref("ClassificationLabelValue")), "historyId": UINT64, "id": TEXT,
        "internalDate": INT64, "labelIds": many(TEXT), "payload": ref("MessagePart"), "raw": BYTES,
        "sizeEstimate": INT32, "snippet": TEXT, "threadId": TEXT,
    }),
    "MessagePart": Schema("A MIME part.", {
        "body": ref("MessagePartBody"), "filename": TEXT, "headers": many(ref("MessagePartHeader")),
        "mimeType": TEXT, "partId": TEXT, "parts": many(ref("MessagePart")),
    }),
    "MessagePartBody": Schema("What a part holds, or the id to get it by.", {
        "attachmentId": TEXT, "data": BYTES, "size": INT32,
    }),
    "MessagePartHeader": Schema("A header of a part.", {"name": TEXT, "value": TEXT}),
    "ModifyMessageRequest": Schema("Labels to put on a message and to take off.", {
        "addClassificationLabels": many(ref("ClassificationLabelValue")), "addLabelIds": many(TEXT),
        "removeClassificationLabelIds": many(TEXT), "removeLabelIds": many(TEXT),
    }),
    "ModifyThreadRequest": Schema("Labels to put on a thread's messages and to take off.", {
        "addLabelIds": many(TEXT), "removeLabelIds": many(TEXT),
    }),
    "Profile": Schema("The mailbox's address and totals.", {
        "emailAddress": TEXT, "historyId": UINT64, "messagesTotal": INT32, "threadsTotal": INT32,
    }),
    "Thread": Schema("Messages that belong together.", {
        "historyId": UINT64, "id": TEXT, "messages": many(ref("Message")), "snippet": TEXT,
    }),
    "WatchRequest": Schema("What to tell a topic of.", {
        "labelFilterAction": deprecated(one_of("include", "exclude")),
        "labelFilterBehavior": one_of("include", "exclude"), "labelIds": many(TEXT), "topicName": TEXT,
    }),
    "WatchResponse": Schema("Until when changes are told.", {"expiration": INT64, "historyId": UINT64}),
}  # fmt: skip

_SETTINGS = {
    "AutoForwarding": Schema("Where all incoming mail is forwarded to, and what becomes of the copy here.", {
        "disposition": one_of("dispositionUnspecified", "leaveInInbox", "archive", "trash", "markRead"),
        "emailAddress": TEXT, "enabled": FLAG,
    }),
    "Delegate": Schema("Somebody who may use the mailbox.", {
        "delegateEmail": TEXT,
        "verificationStatus": one_of(
            "verificationStatusUnspecified", "accepted", "pending", "rejected", "expired"
        ),
    }),
    "Filter": Schema("What is done to arriving mail that matches.", {
        "action": ref("FilterAction"), "criteria": ref("FilterCriteria"), "id": TEXT,
    }),
    "FilterAction": Schema("What a filter does.", {
        "addLabelIds": many(TEXT), "forward": TEXT, "removeLabelIds": many(TEXT),
    }),
    "FilterCriteria": Schema("What a filter's mail must match, all of it.", {
        "excludeChats": FLAG, "from": TEXT, "hasAttachment": FLAG, "negatedQuery": TEXT, "query": TEXT,
        "size": INT32, "sizeComparison": one_of("unspecified", "smaller", "larger"), "subject": TEXT,
        "to": TEXT,
    }),
    "ForwardingAddress": Schema("An address that mail may be forwarded to.", {
        "forwardingEmail": TEXT,
        "verificationStatus": one_of("verificationStatusUnspecified", "accepted", "pending"),
    }),
    "ImapSettings": Schema("How IMAP is set.", {
        "autoExpunge": FLAG, "enabled": FLAG,
        "expungeBehavior": one_of("expungeBehaviorUnspecified", "archive", "trash", "deleteForever"),
        "maxFolderSize": INT32,
    }),
    "LanguageSettings": Schema("The language of pages.", {"displayLanguage": TEXT}),
    "ListDelegatesResponse": Schema("All delegates.", {"delegates": many(ref("Delegate"))}),
    "ListFiltersResponse": Schema("All filters.", {"filter": many(ref("Filter"))}),
    "ListForwardingAddressesResponse": Schema("All forwarding addresses.", {
        "forwardingAddresses": many(ref("ForwardingAddress")),
    }),
    "ListSendAsResponse": Schema("All aliases.", {"sendAs": many(ref("SendAs"))}),
    "PopSettings": Schema("How POP is set.", {
        "accessWindow": one_of("accessWindowUnspecified", "disabled", "fromNowOn", "allMail"),
        "disposition": one_of("dispositionUnspecified", "leaveInInbox", "archive", "trash", "markRead"),
    }),
    "SendAs": Schema("An address that mail may be sent from: the account's own, or an alias.", {
        "displayName": TEXT, "isDefault": FLAG, "isPrimary": FLAG, "replyToAddress": TEXT,
        "sendAsEmail": TEXT, "signature": TEXT, "smtpMsa": ref("SmtpMsa"), "treatAsAlias": FLAG,
        "verificationStatus": one_of("verificationStatusUnspecified", "accepted", "pending"),
    }),
    "SmtpMsa": Schema("A server that an alias's mail is sent by.", {
        "host": TEXT, "password": TEXT, "port": INT32,
        "securityMode": one_of("securityModeUnspecified", "none", "ssl", "starttls"), "username": TEXT,
    }),
    "VacationSettings": Schema("How mail is answered while one is away.", {
        "enableAutoReply": FLAG, "endTime": INT64, "responseBodyHtml": TEXT, "responseBodyPlainText": TEXT,
        "responseSubject": TEXT, "restrictToContacts": FLAG, "restrictToDomain": FLAG, "startTime": INT64,
    }),
}  # fmt: skip

_ENCRYPTION = {
    "CseIdentity": Schema("An address with the key pair that encrypts its mail.", {
        "emailAddress": TEXT, "primaryKeyPairId": TEXT,
        "signAndEncryptKeyPairs": ref("SignAndEncryptKeyPairs"),
    }),
    "CseKeyPair": Schema("A key pair for encryption at the client.", {
        "disableTime": read_only(TIME),
        "enablementState": read_only(one_of("stateUnspecified", "enabled", "disabled")),
        "keyPairId": read_only(TEXT), "pem": read_only(TEXT), "pkcs7": TEXT,
        "privateKeyMetadata": many(ref("CsePrivateKeyMetadata")),
        "subjectEmailAddresses": read_only(many(TEXT)),
    }),
    "CsePrivateKeyMetadata": Schema("Where a private key is kept.", {
        "hardwareKeyMetadata": ref("HardwareKeyMetadata"), "kaclsKeyMetadata": ref("KaclsKeyMetadata"),
        "privateKeyMetadataId": read_only(TEXT),
    }),
    "DisableCseKeyPairRequest": Schema("Nothing: the path says it all."),
    "EnableCseKeyPairRequest": Schema("Nothing: the path says it all."),
    "HardwareKeyMetadata": Schema("A key in a device.", {"description": TEXT}),
    "KaclsKeyMetadata": Schema("A key at a key service.", {"kaclsData": TEXT, "kaclsUri": TEXT}),
    "ListCseIdentitiesResponse": Schema("A page of identities.", {
        "cseIdentities": many(ref("CseIdentity")), "nextPageToken": TEXT,
    }),
    "ListCseKeyPairsResponse": Schema("A page of key pairs.", {
        "cseKeyPairs": many(ref("CseKeyPair")), "nextPageToken": TEXT,
    }),
    "ListSmimeInfoResponse": Schema("All certificates.", {"smimeInfo": many(ref("SmimeInfo"))}),
    "ObliterateCseKeyPairRequest": Schema("Nothing: the path says it all."),
    "SignAndEncryptKeyPairs": Schema("Two key pairs, one to sign and one to encrypt.", {
        "encryptionKeyPairId": TEXT, "signingKeyPairId": TEXT,
    }),
    "SmimeInfo": Schema("A certificate of an alias.", {
        "encryptedKeyPassword": TEXT, "expiration": INT64, "id": TEXT, "isDefault": FLAG, "issuerCn": TEXT,
        "pem": TEXT, "pkcs12": BYTES,
    }),
}  # fmt: skip

SCHEMAS = {**_MAIL, **_SETTINGS, **_ENCRYPTION}
"""Every schema, by its name."""
