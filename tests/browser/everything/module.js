import "./static-import.js";
