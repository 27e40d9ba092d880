registerPaint("nothing", class { paint() {} });
