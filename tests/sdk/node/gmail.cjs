// Google's own Node client, unmodified, against the Gmail fake: `rootUrl` is said with each call. What it found is
// printed as one JSON object, which the test looks at. Arguments: the world's address, and two people's tokens.
"use strict";

const { Readable } = require("node:stream");
const { google } = require("googleapis");

const [rootUrl, miraToken, tomToken] = process.argv.slice(2);
const options = { rootUrl };
const found = {};

function client(token) {
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: token });
  return google.gmail({ version: "v1", auth }).users;
}

function encoded(to, subject, text) {
  const mail = `To: ${to}\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\n\r\n${text}`;
  return Buffer.from(mail).toString("base64url");
}

async function refused(request) {
  try {
    await request;
    return "not refused";
  } catch (error) {
    const { status, message, response } = error;
    return { name: error.constructor.name, status, message, envelope: response?.data?.error };
  }
}

async function mails(mira, tom) {
  const me = { userId: "me" };
  const raw = encoded("tom@harborlight.example", "Lunch", "At noon?");
  const sent = (await mira.messages.send({ ...me, requestBody: { raw } }, options)).data;
  const listed = (await tom.messages.list({ ...me, q: "is:unread" }, options)).data;
  const got = (await tom.messages.get({ ...me, id: listed.messages[0].id }, options)).data;
  found.sent = sent.labelIds;
  found.received = Buffer.from(got.payload.body.data, "base64url").toString();
  found.types = [typeof got.historyId, typeof got.internalDate, typeof got.sizeEstimate];
  const headers = { ...me, id: got.id, format: "metadata", metadataHeaders: ["Subject", "To"] };
  found.headers = (await tom.messages.get(headers, options)).data.payload.headers.map((each) => each.name);
  const read = { ...me, id: got.id, requestBody: { removeLabelIds: ["UNREAD"] } };
  found.read = (await tom.messages.modify(read, options)).data.labelIds;
  found.gone = (await tom.messages.delete({ ...me, id: got.id }, options)).status;
  found.partial = (await mira.messages.list({ ...me, fields: "messages/id" }, options)).data;
  found.partial.messages = found.partial.messages.map((each) => each.id === sent.id);
}

async function uploads(mira) {
  const body = "To: tom@harborlight.example\r\nSubject: Upload\r\n\r\nAll of it";
  const media = { mimeType: "message/rfc822", body: Readable.from([body]) };
  const alone = await mira.messages.send({ userId: "me", media }, options);
  const text = { mimeType: "message/rfc822", body };
  const beside = await mira.messages.send(
    { userId: "me", requestBody: { threadId: alone.data.threadId }, media: text }, options,
  );
  found.uploads = [alone.data.labelIds, beside.data.labelIds];
}

async function pages(mira) {
  found.pages = [];
  let pageToken;
  do {
    const page = { userId: "me", labelIds: ["SENT"], maxResults: 2, pageToken };
    const { data } = await mira.messages.list(page, options);
    found.pages.push(data.messages.length);
    pageToken = data.nextPageToken;
  } while (pageToken);
}

async function drafts(mira) {
  const raw = encoded("tom@harborlight.example", "Draft", "Later");
  const made = (await mira.drafts.create({ userId: "me", requestBody: { message: { raw } } }, options)).data;
  const sent = await mira.drafts.send({ userId: "me", requestBody: { id: made.id } }, options);
  found.draft = [sent.data.labelIds, (await refused(mira.drafts.get({ userId: "me", id: made.id }, options))).status];
}

async function labels(mira) {
  const body = { name: "Claims", labelListVisibility: "labelShow" };
  const made = (await mira.labels.create({ userId: "me", requestBody: body }, options)).data;
  const listed = (await mira.labels.list({ userId: "me" }, options)).data.labels;
  found.label = [made.type, listed.some((label) => label.id === made.id)];
  found.taken = await refused(mira.labels.create({ userId: "me", requestBody: body }, options));
  const rule = { criteria: { from: "tom@harborlight.example" }, action: { addLabelIds: [made.id] } };
  const filter = (await mira.settings.filters.create({ userId: "me", requestBody: rule }, options)).data;
  found.filter = (await mira.settings.filters.list({ userId: "me" }, options)).data.filter[0].id === filter.id;
}

async function errors(mira) {
  found.unknown = await refused(mira.messages.get({ userId: "me", id: "0123456789abcdef" }, options));
  found.wrong = await refused(client("made-up").getProfile({ userId: "me" }, options));
}

async function main() {
  const mira = client(miraToken);
  await mails(mira, client(tomToken));
  await uploads(mira);
  await pages(mira);
  await drafts(mira);
  await labels(mira);
  await errors(mira);
  console.log(JSON.stringify(found));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
